/**
 * The papers' Asynchronous Operation Processor where the system has none: operations on sockets are attempted when a
 * level-triggered synchronous demultiplexer finds their handle ready, those on files are executed by threads.
 *
 * <p>{@link dev.sluice.demultiplexers.emulated.EmulatedDemultiplexer} goes by the name of what it waits with. What
 * sends is attempted at once, because there mostly is room; what receives waits for readiness first, because there
 * mostly is nothing yet. A handle stays registered for a direction until an event comes that no operation waits for: so a
 * connection that is read from again and again costs no change of the handle set.
 *
 * <p>A file is always ready and still waits for the disk, so {@link dev.sluice.demultiplexers.operation.FilePool} has a
 * few threads for that. A call that one of them is inside cannot be interrupted: the close of the demultiplexer waits
 * for it, however long an {@code open} of a FIFO or a dead network file system takes.
 */
package dev.sluice.demultiplexers.emulated;
