"""Other packages, each in one module that imports it when it is used; nothing here is imported by `import wireshape`."""
