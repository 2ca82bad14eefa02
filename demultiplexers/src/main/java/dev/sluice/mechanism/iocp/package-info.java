/**
 * {@code iocp}: a completion port of Windows. The kernel executes overlapped calls, and queues a packet for each that
 * is over to the port that its handle is tied to; any number of threads wait there, and a packet goes to one of them.
 *
 * <p>{@link dev.sluice.mechanism.iocp.CompletionPort} is the mechanism, and
 * {@link dev.sluice.mechanism.iocp.IocpDemultiplexer} waits for its packets. What each kind of operation asks of
 * Windows, and what the answers mean, stands in one class for each, the subclasses of
 * {@link dev.sluice.mechanism.iocp.Request}, which {@link dev.sluice.mechanism.iocp.Requests} has a table of.
 *
 * <p>Most operations are a chain of overlapped calls, mostly of one, and their class is an
 * {@link dev.sluice.mechanism.iocp.OverlappedRequest}: it makes the next call, and says what comes of its result,
 * whether that comes with a packet or, where a handle is set so, with the call itself.
 * {@link dev.sluice.mechanism.iocp.OverlappedCalls} goes through the chain, lets others have their turn, and
 * cancels, without asking which kind it is. What the kernel writes to while a call goes on lies in a block of the
 * {@link dev.sluice.mechanism.iocp.OverlappedPool}, which the operation holds until the result is there.
 *
 * <p>What Windows has no overlapped call for: opening, forcing and closing are each a
 * {@link dev.sluice.mechanism.iocp.PooledRequest}, which waits in a thread of a pool, and readiness is what a
 * {@link dev.sluice.mechanism.iocp.Poll} asks the driver of sockets for, which answers with a packet like any
 * other. A continuous receive waits with a receive of no bytes, so that a silent connection holds no buffer, and a
 * continuous accept is one accept after the other.
 *
 * <p>Two things are the system's: it may execute a call on a file before it returns, as it does with writes that make a
 * file longer, and then the other threads of the demultiplexer wait for that long. And where it is no server it
 * executes two {@code TransmitFile} at a time, for all of its processes; others wait for these.
 *
 * <p>A handle stays tied to its first port until it is closed. It can be associated again with the same demultiplexer,
 * and with no other.
 */
package dev.sluice.mechanism.iocp;
