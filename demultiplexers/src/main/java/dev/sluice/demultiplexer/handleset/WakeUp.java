package dev.sluice.demultiplexer.handleset;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.SystemCallException;
import java.io.UncheckedIOException;

/**
 * A descriptor that becomes readable when another thread wants a waiter's attention. Signals that come before the
 * waiter looks count as one and cost one system call.
 */
public final class WakeUp implements AutoCloseable {

    /** The number of bytes to read. */
    public static final int DRAINED_BYTES = WakeUpDescriptor.SIGNAL_BYTES;

    private static final int ONE = 0;
    private static final int DRAIN = ONE + WakeUpDescriptor.SIGNAL_BYTES;

    private final WakeUpDescriptor descriptor;
    private final MemoryBlock memory;
    private final PendingSignal pending = new PendingSignal();
    private final Runnable signal = this::write;
    // A plain write after the close would go to whatever has got the descriptor's number next.
    private final UseCount users;

    /**
     * Opens the descriptor.
     *
     * @param demultiplexer the name of the demultiplexer, for messages
     */
    public WakeUp(String demultiplexer) throws SystemCallException {
        this(WakeUpDescriptor.open(Bindings.current(), demultiplexer));
    }

    WakeUp(WakeUpDescriptor descriptor) {
        this.descriptor = descriptor;
        try {
            memory = Bindings.current().memory().allocate(DRAIN + DRAINED_BYTES);
        } catch (Throwable e) {
            descriptor.close();
            throw e;
        }
        memory.buffer().putLong(ONE, 1);
        users = new UseCount(new CloseSteps(descriptor::close, memory::close)::run);
    }

    /**
     * Opens a wake-up that the kernel reads in the background, with {@link #DRAINED_BYTES} bytes to
     * {@link #drainAddress()}, followed by {@link #drained()}; on Linux only. The descriptor is blocking, because
     * io_uring fails a read from an empty non-blocking one.
     *
     * @param demultiplexer the name of the demultiplexer, for messages
     * @return the wake-up
     * @throws SystemCallException if the system has no more descriptors
     */
    public static WakeUp readByKernel(String demultiplexer) throws SystemCallException {
        return new WakeUp(UnixWakeUpDescriptor.eventFd(Bindings.current(), demultiplexer, 0));
    }

    /** {@return the address of the memory into which a read that takes the signal back puts its bytes} */
    public long drainAddress() {
        return memory.address() + DRAIN;
    }

    /** {@return the descriptor to wait for, on Windows a socket; open until the close} */
    public long descriptor() {
        return descriptor.readable();
    }

    /**
     * Makes the descriptor readable; any thread may call this. After the close it does nothing.
     *
     * @throws UncheckedIOException if the system refuses; the next signal counts again
     */
    public void signal() {
        pending.give(signal);
    }

    private void write() {
        if (users.enter()) {
            try {
                long result;
                do {
                    result = descriptor.write(memory.address() + ONE);
                } while (Errno.EINTR.is(result));
                if (result < 0 && !Errno.EAGAIN.is(result)) {
                    throw new UncheckedIOException(descriptor.failure(descriptor.writeCall(), result));
                }
            } finally {
                users.leave();
            }
        }
    }

    /**
     * Takes the signal back. Called by a waiter that has seen it and that the close waits for. It drains the descriptor
     * first and then resets the flag: a thread that signals in between has already published its reason, and the waiter
     * looks for reasons afterwards.
     */
    public void drain() {
        long result;
        do {
            result = descriptor.read(drainAddress());
        } while (Errno.EINTR.is(result));
        drained();
    }

    /** The descriptor has been read: the next signal counts again. */
    public void drained() {
        pending.taken();
    }

    /**
     * Closes the descriptor, or leaves that to the last thread that is signalling. Must be called when there is no
     * waiter.
     */
    @Override
    public void close() {
        users.close();
    }
}
