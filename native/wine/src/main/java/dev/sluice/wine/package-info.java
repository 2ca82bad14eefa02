/**
 * For tests: the calls of Windows on Linux. A small program under Wine, the host, makes each requested call, so that
 * the demultiplexers and facades for Windows run here unchanged, over a different binding.
 *
 * <p>Host and this process map one region of memory at the same address. Structures are in it, because they are
 * allocated through the binding; a pointer to anything else is refused before the call, since it would crash the host.
 * For each thread that calls there is a slot in the region and a thread in the host: function and arguments go one way,
 * result and {@code GetLastError} the other, and a futex lets either side sleep. A blocking call holds up no other
 * thread, and when a thread has ended, its slot serves the next.
 *
 * <p>Only the bytes of sockets and files may be elsewhere, in any direct buffer: users allocate those as they like, and
 * another process cannot see them. Such bytes are copied into the region for the call that sends them, and out of it
 * when a call has received them. For an overlapped call that is when its packet is taken from the port, or
 * {@code GetOverlappedResult} reports that it has ended; nobody may look at the buffer earlier anyway. Until then the
 * copy stands in for the buffer. The address of a buffer remains its own, so nothing above notices.
 *
 * <p>What is not possible: completion routines, since the host cannot call back, and views of mapped files, which only
 * the host can see.
 *
 * <p>The host is compiled from its source and started once per process, when the binding is loaded. Its standard input
 * ends with this process, even if that is killed, and so does the host; its files are removed soon after. When the host
 * ends first, or leaves a call unanswered that cannot block, every call fails with a
 * {@link dev.sluice.wine.HostFailure} that says so.
 */
package dev.sluice.wine;
