/**
 * {@code iocp}: a Windows completion port. The kernel executes overlapped calls, and queues a packet for each completed
 * call to the port that its handle is associated with. Any number of threads wait at the port, and each packet goes to
 * one of them.
 *
 * <p>{@link dev.sluice.demultiplexer.afd.CompletionPort} is the mechanism, and
 * {@link dev.sluice.demultiplexer.iocp.IocpDemultiplexer} waits for its packets. Each kind of operation has a class
 * that executes it, a subclass of {@link dev.sluice.demultiplexer.iocp.Request};
 * {@link dev.sluice.demultiplexer.iocp.Kinds} is the table of them.
 *
 * <p>Most operations consist of overlapped calls, usually of one, and their class is an
 * {@link dev.sluice.demultiplexer.iocp.OverlappedRequest}, which makes the calls one at a time and lets other
 * operations be served in between. A subclass makes the next call and interprets its result, which comes with a packet
 * or, if the handle is set up for that, from the call itself. The structures that the kernel writes to during a call
 * are in a block of the {@link dev.sluice.demultiplexer.iocp.OverlappedPool}, which the operation keeps until it has
 * the result.
 *
 * <p>Some operations have no overlapped call on Windows. Opening, forcing and closing are
 * {@link dev.sluice.demultiplexer.iocp.PooledRequest}s, which make their calls on a thread of a pool. A
 * {@link dev.sluice.demultiplexer.iocp.Poll} asks the socket driver, which answers with a packet like any other. A
 * continuous receive waits by a receive of no bytes, so that an idle connection needs no buffer, and a continuous
 * accept is a sequence of accepts.
 *
 * <p>Two properties of Windows affect operations on files. Windows may execute a call on a file before returning from
 * it, as it does for writes that extend a file, and the other threads of the demultiplexer then wait that long. Client
 * editions of Windows execute only two {@code TransmitFile} calls at a time, across all processes; others wait.
 *
 * <p>A handle stays associated with its first port until it is closed. It can be associated again with the same
 * demultiplexer, but with no other.
 */
@NullMarked
package dev.sluice.demultiplexer.iocp;

import org.jspecify.annotations.NullMarked;
