/**
 * {@code iocp}: a completion port of Windows. The kernel executes overlapped calls, and queues a packet for each that
 * is over to the port that its handle is tied to; any number of threads wait there, and a packet goes to one of them.
 *
 * <p>{@link dev.sluice.demultiplexers.iocp.CompletionPort} is the mechanism. An operation is a chain of overlapped
 * calls, mostly of one; {@link dev.sluice.demultiplexers.iocp.OverlappedCalls} makes the next one, and
 * {@link dev.sluice.demultiplexers.iocp.IocpDemultiplexer} says what comes of its result, whether that comes with a
 * packet or, where a handle is set so, with the call itself. What the kernel writes to while a call goes on lies in a
 * block of the {@link dev.sluice.demultiplexers.iocp.OverlappedPool}, which the operation holds until the result is
 * there.
 *
 * <p>What Windows has no overlapped call for: opening, forcing and closing wait in threads of a pool, and readiness is
 * what {@link dev.sluice.demultiplexers.iocp.AfdPoll} asks the driver of sockets for. A continuous
 * receive waits with a receive of no bytes, so that a silent connection holds no buffer, and a continuous accept is one
 * accept after the other.
 *
 * <p>Two things are the system's: it may execute a call on a file before it returns, as it does with writes that make a
 * file longer, and then the other threads of the demultiplexer wait for that long. And where it is no server it
 * executes two {@code TransmitFile} at a time, for all of its processes; others wait for these.
 *
 * <p>A handle stays tied to its first port until it is closed. It can be associated again with the same demultiplexer,
 * and with no other.
 */
package dev.sluice.demultiplexers.iocp;
