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

/** Pipes for splicing: the kernel moves pages from a file to a socket only through a pipe. Used inside. */
final class PipePool implements AutoCloseable {

    /** The requested capacity of a pipe, which by default holds 64 KiB. */
    static final int CAPACITY = 256 * 1024;

    /**
     * There are never more pipes than were in use at once. Making and closing one for each transmission would cost four
     * calls.
     */
    private static final int MAX_SPARE = 64;

    /**
     * A pipe.
     *
     * @param readEnd  where bytes come out
     * @param writeEnd where they go in
     */
    record Pipe(int readEnd, int writeEnd) {
    }

    private final BooleanSupplier confined;
    private final OperatingSystem system = OperatingSystem.current();
    private final Posix posix = Bindings.current().posix();
    private final Linux linux = Bindings.current().linux();
    private final ArrayDeque<Pipe> spare = new ArrayDeque<>();
    /** All open pipes, since an operation that cannot be ended never gives its pipe back. */
    private final ArrayList<Pipe> open = new ArrayList<>();

    /**
     * Creates an empty pool.
     *
     * @param confined returns whether the calling thread may use it; for assertions
     */
    PipePool(BooleanSupplier confined) {
        this.confined = confined;
    }

    /** {@return an empty pipe, or null if the system has no more descriptors} */
    Pipe take() {
        assert confined.getAsBoolean();
        Pipe pipe = spare.poll();
        return pipe != null ? pipe : open();
    }

    private Pipe open() {
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
            // Refused when the user has many pipes already (pipe(7)); then there are more round trips.
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
     * Gives a pipe back.
     *
     * @param pipe  from {@link #take()}
     * @param empty whether nothing was left in it; otherwise it is closed
     */
    void giveBack(Pipe pipe, boolean empty) {
        assert confined.getAsBoolean();
        if (empty && spare.size() < MAX_SPARE) {
            spare.push(pipe);
        } else {
            open.remove(pipe);
            close(pipe.readEnd, pipe.writeEnd);
        }
    }

    // Nothing was written to it whose loss a failure could report (close(2)).
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
