package dev.sluice.demultiplexers.handleset;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Linux;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.EpollConstants;
import dev.sluice.handle.Handle;
import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A descriptor that becomes readable when another thread wants a waiter's attention. Signals that come before the waiter
 * looks count as one and cost one system call.
 */
public final class WakeUp implements AutoCloseable {

    private static final int ONE = 0;
    private static final int DRAIN = Long.BYTES;

    private final Posix posix = Bindings.current().posix();
    private final int descriptor;
    private final Handle handle;
    private final MemoryBlock memory;
    private final AtomicBoolean pending = new AtomicBoolean();

    /**
     * Opens it.
     *
     * @param demultiplexer whose it is, for messages
     */
    public WakeUp(String demultiplexer) throws IOException {
        Linux linux = Bindings.current().linux();
        descriptor = linux.eventfd(0, EpollConstants.EFD_CLOEXEC | EpollConstants.EFD_NONBLOCK);
        if (descriptor < 0) {
            throw new SystemCallException("eventfd", "wake-up of " + demultiplexer, descriptor);
        }
        handle = Handle.adopt(descriptor, "wake-up of " + demultiplexer);
        memory = Bindings.current().memory().allocate(2 * Long.BYTES);
        memory.buffer().putLong(ONE, 1);
    }

    /** {@return the descriptor to wait for, open until the close} */
    public int descriptor() {
        return descriptor;
    }

    /** Makes the descriptor readable, from any thread. After the close it does nothing. */
    public void signal() {
        if (!pending.compareAndSet(false, true)) {
            return;
        }
        try {
            // Acquired, because a plain write after the close would wake whoever got the descriptor's number next.
            int fd = handle.acquire();
            try {
                long result;
                do {
                    result = posix.write(fd, memory.address() + ONE, Long.BYTES);
                } while (Errno.EINTR.is(result));
            } finally {
                handle.release();
            }
        } catch (HandleClosedException e) {
            // Nobody waits any more; pending stays set, so that the next signal returns at once.
            return;
        }
    }

    /**
     * Takes the signal back, by a waiter that has seen it. First the descriptor, then the flag: who signals in between has
     * published its reason before, and the waiter looks for reasons after this.
     */
    public void drain() throws HandleClosedException {
        int fd = handle.acquire();
        try {
            long result;
            do {
                result = posix.read(fd, memory.address() + DRAIN, Long.BYTES);
            } while (Errno.EINTR.is(result));
        } finally {
            handle.release();
        }
        pending.set(false);
    }

    /** Closes the descriptor; no waiter may be using it. */
    @Override
    public void close() {
        handle.close();
        memory.close();
    }
}
