/**
 * The list of demultiplexers, including those for other systems. Each mechanism has a package of its own. A name may
 * stand for two demultiplexers: a synchronous one, and the emulation of an asynchronous one over it.
 */
@NullMarked
package dev.sluice.demultiplexer.standard;

import org.jspecify.annotations.NullMarked;
