/**
 * The papers' Asynchronous Operation Processor for systems that have none: operations on sockets are attempted when a
 * synchronous demultiplexer reports their handle as ready, and operations on files are executed by threads.
 *
 * <p>{@link dev.sluice.demultiplexer.emulated.Emulation} makes operations wait, continues and ends them; the subclasses
 * of {@link dev.sluice.demultiplexer.emulated.Attempt}, one for each kind of operation, execute them. There are two
 * demultiplexers, which have the name of the one that they wait with, and differ in the threads that wait. A send is
 * attempted immediately, because the socket is usually writable; a receive waits for readiness first, because there is
 * usually nothing to receive yet.
 * <ul>
 * <li>{@link dev.sluice.demultiplexer.emulated.EmulatedDemultiplexer} has one loop thread and a level-triggered set. A
 *     handle stays registered for an event until that occurs while no operation waits for it, so repeated receives on a
 *     connection do not change the handle set.
 * <li>{@link dev.sluice.demultiplexer.emulated.MultiThreadedEmulatedDemultiplexer} has any number of waiting threads
 *     and a one-shot set, which reports a ready handle to one of them. That thread enters, continues the operations of
 *     the handle, and rearms the handle if some of them still wait: one system call for each report.
 * </ul>
 *
 * <p>A file is always ready, but calls on it wait for the disk, so the threads of a
 * {@link dev.sluice.demultiplexer.operation.FilePool} make them, except for those that the system's cache serves
 * ({@link dev.sluice.demultiplexer.operation.CachedTransfers}). Opening has a pool of its own, so that FIFOs whose
 * other end is never opened delay neither reads and writes nor the closing of handles. A call in progress cannot be
 * interrupted. A read or write uses the buffers of its operation, so the operation waits for it, even during the close
 * of the demultiplexer. An {@code open} uses nothing of its operation: once that is cancelled, no thread waits for the
 * call, however long a FIFO or an unreachable network file system delays it. The thread of the call closes the file,
 * and is not available to others until then. An operation on a name in an open directory holds the directory open, and
 * waits for the call.
 */
@NullMarked
package dev.sluice.demultiplexer.emulated;

import org.jspecify.annotations.NullMarked;
