/**
 * The papers' Asynchronous Operation Processor where the system has none: operations on sockets are attempted when a
 * synchronous demultiplexer finds their handle ready, and those on files are executed by threads.
 *
 * <p>{@link dev.sluice.demultiplexer.emulated.Emulation} makes them wait, go on and end, and the subclasses of
 * {@link dev.sluice.demultiplexer.emulated.Attempt}, one for each kind of operation, know how they are executed. There
 * are two demultiplexers, named after the one they wait with, which differ in which threads wait. A send is attempted
 * immediately, because the socket is usually writable; a receive waits for readiness first, because there is usually
 * nothing to receive yet.
 * <ul>
 * <li>{@link dev.sluice.demultiplexer.emulated.EmulatedDemultiplexer} has one loop thread and a level-triggered set. A
 *     handle stays registered for a direction until an event comes that no operation waits for, so a connection that is
 *     read from again and again costs no change to the handle set.
 * <li>{@link dev.sluice.demultiplexer.emulated.MultiThreadedEmulatedDemultiplexer} has any number of waiting threads
 *     and a one-shot set, which reports a ready handle to one of them. That thread enters, continues the handle's
 *     operations, and makes the set report the handle again if some of them still wait: one system call for each
 *     readiness.
 * </ul>
 *
 * <p>A file is always ready, yet calls on it wait for the disk, so {@link dev.sluice.demultiplexer.operation.FilePool}
 * has a few threads for that. Opening has threads of its own, so that FIFOs whose other end is never opened delay
 * neither reads and writes nor the closing of handles. A call that one of them is making cannot be interrupted. A read
 * or write uses the buffers of its operation, so it is waited for, even by the close of the demultiplexer. An
 * {@code open} uses nothing of its operation: once the operation is cancelled, no thread waits for the call, however
 * long it takes with a FIFO or a dead network file system; the thread closes what it gets, and occupies its place in
 * the pool until then.
 */
package dev.sluice.demultiplexer.emulated;
