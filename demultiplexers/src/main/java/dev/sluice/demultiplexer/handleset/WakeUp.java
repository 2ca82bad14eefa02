package dev.sluice.demultiplexer.handleset;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Platform;
import dev.sluice.calls.layout.EpollConstants;
import dev.sluice.failure.CloseSteps;
import dev.sluice.handle.SystemCallException;
import dev.sluice.system.OperatingSystem;
import dev.sluice.system.Scratch;
import java.io.UncheckedIOException;

/**
 * A descriptor that another thread makes readable in order to wake up a waiter: on Linux an eventfd, which is both
 * written and read; elsewhere a pipe, of which the process keeps both ends. Signals that are given before a waiter has
 * taken them count as one, and cost one system call.
 */
public final class WakeUp implements AutoCloseable {

    /** The size of a signal, which is the number of bytes to read. */
    public static final int DRAINED_BYTES = Long.BYTES;

    private static final int ONE = 0;
    private static final int DRAIN = ONE + DRAINED_BYTES;

    private final String demultiplexer;
    private final OperatingSystem system;
    private final MemoryBlock memory;
    private final long source;
    private final long sink;
    private final PendingSignal pending = new PendingSignal();
    private final Runnable signal = this::writeWhileOpen;
    // A write after the close would reach the descriptor that has been given the same number since.
    private final UseCount users;

    /**
     * Opens the descriptor.
     *
     * @param demultiplexer the name of the demultiplexer, for messages
     */
    public WakeUp(String demultiplexer) throws SystemCallException {
        this(Bindings.current(), demultiplexer, false);
    }

    /** Opens the descriptor, which is non-blocking unless the kernel reads it. */
    WakeUp(Binding binding, String demultiplexer, boolean readByKernel) throws SystemCallException {
        this.demultiplexer = demultiplexer;
        system = OperatingSystem.of(binding);
        boolean opened = false;
        // Before anything is opened, because there may be no memory for it.
        users = new UseCount(new CloseSteps(this::closeSource, this::closeSink, this::freeMemory)::run);
        memory = binding.memory().allocate(DRAIN + DRAINED_BYTES);
        memory.buffer().putLong(ONE, 1);
        try (Scratch scratch = Scratch.borrow(binding)) {
            if (readByKernel || binding.os() == Platform.Os.LINUX) {
                int flags = EpollConstants.EFD_CLOEXEC | (readByKernel ? 0 : EpollConstants.EFD_NONBLOCK);
                source = require("eventfd", binding.linux().eventfd(0, flags));
                sink = source;
            } else {
                require("pipe", system.openPipe(scratch));
                source = scratch.memory().getLong(Scratch.VALUE);
                sink = scratch.memory().getLong(Scratch.VALUE + Long.BYTES);
            }
            opened = true;
        } finally {
            if (!opened) {
                memory.close();
            }
        }
    }

    private int require(String call, int result) throws SystemCallException {
        if (result < 0) {
            throw failure(call, result);
        }
        return result;
    }

    private SystemCallException failure(String call, long result) {
        return new SystemCallException(call, "wake-up of " + demultiplexer, result);
    }

    /**
     * Opens a wake-up that the kernel reads in the background, on Linux only. The request reads {@link #DRAINED_BYTES}
     * bytes to {@link #drainAddress()}, and {@link #drained()} is called when it has completed. The descriptor is
     * blocking, because io_uring fails a read from an empty non-blocking descriptor.
     *
     * @param demultiplexer the name of the demultiplexer, for messages
     * @return the wake-up
     * @throws SystemCallException if the system has no more descriptors
     */
    public static WakeUp readByKernel(String demultiplexer) throws SystemCallException {
        return new WakeUp(Bindings.current(), demultiplexer, true);
    }

    /** {@return the address of the memory that a signal is read into} */
    public long drainAddress() {
        return memory.address() + DRAIN;
    }

    /** {@return the descriptor to wait for, on Windows a socket; open until the close} */
    public long descriptor() {
        return source;
    }

    /**
     * Makes the descriptor readable; any thread may call this. After the close it does nothing.
     *
     * @throws UncheckedIOException if the system refuses; the next call tries again
     */
    public void signal() {
        pending.give(signal);
    }

    private void writeWhileOpen() {
        if (users.enter()) {
            try {
                long result;
                do {
                    result = write(memory.address() + ONE);
                } while (Errno.EINTR.is(result) || isRefusedForNow(result));
                if (result < 0 && !Errno.EAGAIN.is(result)) {
                    throw new UncheckedIOException(failure("write", result));
                }
            } finally {
                users.leave();
            }
        }
    }

    /** Writes a signal. If that results in {@link Errno#EAGAIN}, the descriptor is full, and therefore readable. */
    long write(long address) {
        return system.write(sink, address, DRAINED_BYTES);
    }

    /**
     * A pipe that is a connection has space for more signals than threads give. But Wine refuses to send while a send
     * of another thread has not returned, although the bytes may already have been read.
     */
    private boolean isRefusedForNow(long result) {
        boolean refused = system.pipesAreSockets() && Errno.EAGAIN.is(result);
        if (refused) {
            Thread.yield();
        }
        return refused;
    }

    /**
     * Reads the signal. Called by a waiter that has seen it, before the close. The descriptor is read first and the
     * flag reset afterwards: a thread that signals in between has already published its reason, and the waiter checks
     * for reasons afterwards.
     */
    public void drain() {
        long result;
        do {
            result = system.read(source, drainAddress(), DRAINED_BYTES);
        } while (Errno.EINTR.is(result));
        drained();
    }

    /** Called when the descriptor has been read: the next signal is written again. */
    public void drained() {
        pending.taken();
    }

    /**
     * Closes the descriptor; if threads are signalling, the last of them closes it. Must not be called while a thread
     * waits.
     */
    @Override
    public void close() {
        users.close();
    }

    private void closeSource() {
        system.close(source, system.pipesAreSockets());
    }

    private void closeSink() {
        if (sink != source) {
            system.close(sink, system.pipesAreSockets());
        }
    }

    private void freeMemory() {
        memory.close();
    }
}
