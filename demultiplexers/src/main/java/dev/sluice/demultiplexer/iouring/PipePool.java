package dev.sluice.demultiplexer.iouring;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Linux;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.FileConstants;
import dev.sluice.system.OperatingSystem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A pool of pipes for splicing, because the kernel moves pages from a file to a socket only through a pipe. Used
 * inside.
 */
final class PipePool implements AutoCloseable {

    /** The requested capacity of a pipe in bytes; the default is 64 KiB. */
    static final int CAPACITY = 256 * 1024;

    /** The maximum number of spare pipes. Opening and closing a pipe for each transmission would cost four calls. */
    private static final int MAX_SPARE = 64;

    /**
     * A pipe.
     *
     * @param readEnd  the descriptor to read from
     * @param writeEnd the descriptor to write to
     */
    record Pipe(int readEnd, int writeEnd) {
    }

    private final BooleanSupplier confined;
    private final OperatingSystem system = OperatingSystem.current();
    private final Posix posix = Bindings.current().posix();
    private final Linux linux = Bindings.current().linux();
    /** With capacity for all: a deque loses its elements if there is no memory for another one. */
    private final ArrayDeque<Pipe> spare = new ArrayDeque<>(MAX_SPARE);
    /** All open pipes, because an operation that cannot be ended never releases its pipe. */
    private final ArrayList<Pipe> open = new ArrayList<>();

    /**
     * Creates an empty pool.
     *
     * @param confined returns whether the calling thread may use the pool; for assertions
     */
    PipePool(BooleanSupplier confined) {
        this.confined = confined;
    }

    /** {@return an empty pipe; null if the system cannot open one} */
    @Nullable Pipe take() {
        assert confined.getAsBoolean();
        Pipe pipe = spare.poll();
        return pipe != null ? pipe : open();
    }

    private @Nullable Pipe open() {
        int readEnd;
        int writeEnd;
        try (MemoryBlock descriptors = Bindings.current().memory().allocate(2 * Integer.BYTES)) {
            if (linux.pipe2(descriptors.address(), FileConstants.O_CLOEXEC) < 0) {
                return null;
            }
            readEnd = descriptors.buffer().getInt(0);
            writeEnd = descriptors.buffer().getInt(Integer.BYTES);
        }
        try {
            // Refused if the user has many pipes (pipe(7)); then a transmission takes more rounds.
            posix.fcntl(writeEnd, FileConstants.F_SETPIPE_SZ, CAPACITY);
            Pipe pipe = new Pipe(readEnd, writeEnd);
            open.add(pipe);
            return pipe;
        } catch (Throwable e) {
            close(readEnd, writeEnd);
            throw e;
        }
    }

    /**
     * Releases a pipe.
     *
     * @param pipe  a pipe of {@link #take()}
     * @param empty whether the pipe is empty; otherwise it is closed
     */
    void release(Pipe pipe, boolean empty) {
        assert confined.getAsBoolean();
        if (empty && spare.size() < MAX_SPARE) {
            spare.push(pipe);
        } else {
            open.remove(pipe);
            close(pipe.readEnd, pipe.writeEnd);
        }
    }

    // Errors are ignored: they report the loss of written data (close(2)), which a pipe does not have.
    private void close(int readEnd, int writeEnd) {
        try {
            system.close(readEnd, false);
        } finally {
            system.close(writeEnd, false);
        }
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            Pipe pipe = open.remove(open.size() - 1);
            close(pipe.readEnd, pipe.writeEnd);
        }
    }
}
