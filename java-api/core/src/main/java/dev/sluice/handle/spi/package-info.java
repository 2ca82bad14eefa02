/**
 * What demultiplexers, loops and pools do with a handle, and programs must not: to be users of its descriptor, to be
 * told of its close, and to make handles of descriptors that the system has opened. The package is exported to them
 * alone.
 */
package dev.sluice.handle.spi;
