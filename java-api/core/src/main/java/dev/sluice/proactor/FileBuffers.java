package dev.sluice.proactor;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.eventloop.spi.ThreadingModel;
import dev.sluice.timer.TimerQueue;
import dev.sluice.trace.DispatchTrace;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The memory that a proactor registers with the system for transfers of files. */
@SuppressWarnings("exports") // Types in overridden methods are not exported.
abstract sealed class FileBuffers extends NameOperations permits Proactor {

    final AsynchronousEventDemultiplexer demultiplexer;

    FileBuffers(AsynchronousEventDemultiplexer demultiplexer, TimerQueue timers, LongSupplier clock,
            ThreadingModel threads, @Nullable DispatchTrace trace) {
        super(new OperationPool(demultiplexer), timers, clock, threads, trace);
        this.demultiplexer = demultiplexer;
    }

    /**
     * Registers the remaining bytes of a buffer with the system, if it can. Reads and writes of files, each with one
     * buffer that lies within these bytes, are then executed with less work, which is measurable for files that were
     * opened with {@link dev.sluice.handle.FileOption#DIRECT}: slices and duplicates of the buffer count, and no other
     * change of the program is needed. Register few large buffers, and slice them.
     *
     * <p>On io_uring, since Linux 5.19, up to 64 buffers of at most 1 GiB each are registered with one proactor; their
     * memory is locked, which counts towards {@code RLIMIT_MEMLOCK} unless the process is privileged. Where the system
     * registers nothing, or refuses this buffer, transfers are executed as before; {@link #registeredBytes} says what
     * has been registered. May be called by any thread; the loop registers the buffer in its next iteration. The memory
     * is kept reachable until the registration ends.
     *
     * @param buffer a direct buffer with bytes remaining, of which there is at least one
     * @return the registration, which closing it ends, by any thread; operations in flight are not affected. Closing
     *         the proactor ends it, too
     * @throws IllegalArgumentException if there are no bytes remaining, the buffer is on the heap, or its memory may
     *                                  be freed while it is registered, as that of a shared or confined arena, of a
     *                                  {@link dev.sluice.handle.MappedFile}, or of a provided buffer
     */
    @CheckReturnValue
    public final Closeable registerBuffer(ByteBuffer buffer) {
        return demultiplexer.registerBuffer(buffer);
    }

    /**
     * {@return the number of bytes that the system has registered for this proactor; always 0 except on io_uring} May
     * be called by any thread.
     */
    public final long registeredBytes() {
        return demultiplexer.registeredBytes();
    }
}
