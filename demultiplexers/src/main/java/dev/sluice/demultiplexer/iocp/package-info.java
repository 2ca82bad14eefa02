/**
 * {@code iocp}: a Windows completion port. The kernel executes overlapped calls, and queues a packet for each completed
 * one to the port that its handle is tied to; any number of threads wait there, and each packet goes to one of them.
 *
 * <p>{@link dev.sluice.demultiplexer.afd.CompletionPort} is the mechanism, and
 * {@link dev.sluice.demultiplexer.iocp.IocpDemultiplexer} waits for its packets. What each kind of operation asks of
 * Windows, and what the answers mean, is in a class of its own, a subclass of
 * {@link dev.sluice.demultiplexer.iocp.Request}; {@link dev.sluice.demultiplexer.iocp.Kinds} is the table of them.
 *
 * <p>Most operations are a chain of overlapped calls, usually of just one, and their class is an
 * {@link dev.sluice.demultiplexer.iocp.OverlappedRequest}, which goes through the chain and lets others have their
 * turn: a subclass makes the next call, and interprets its result, whether that comes with a packet or, if the handle
 * is set up that way, from the call itself. What the kernel writes to during a call is in a block of the
 * {@link dev.sluice.demultiplexer.iocp.OverlappedPool}, which the operation holds until it has the result.
 *
 * <p>Some things have no overlapped call on Windows: opening, forcing and closing are each a
 * {@link dev.sluice.demultiplexer.iocp.PooledRequest}, which waits on a thread of a pool, and for readiness a
 * {@link dev.sluice.demultiplexer.iocp.Poll} asks the socket driver, which answers with a packet like any other. A
 * continuous receive waits with a receive of no bytes, so that a silent connection holds no buffer, and a continuous
 * accept is one accept after the other.
 *
 * <p>Two things are beyond our control. Windows may execute a call on a file before returning from it, as it does for
 * writes that extend a file, and the other threads of the demultiplexer then wait that long. And client editions of
 * Windows execute only two {@code TransmitFile} calls at a time, across all processes; others must wait.
 *
 * <p>A handle stays tied to its first port until it is closed. It can be associated again with the same demultiplexer,
 * but with no other.
 */
package dev.sluice.demultiplexer.iocp;
