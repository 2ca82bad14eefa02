/**
 * What demultiplexers, loops and pools do with a handle, and programs must not: use its descriptor, listen for its
 * close, and make handles of descriptors that the system has opened. The package is exported to them alone.
 */
package dev.sluice.handle.spi;
