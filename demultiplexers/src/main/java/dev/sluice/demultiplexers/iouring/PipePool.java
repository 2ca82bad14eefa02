package dev.sluice.demultiplexers.iouring;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Posix;
import dev.sluice.calls.layout.FileConstants;
import java.util.ArrayDeque;

/** Pipes for splicing: from a file to a socket the kernel moves pages through a pipe only. For the loop thread. */
final class PipePool implements AutoCloseable {

    /** What a pipe is asked to hold; 64 KiB is what it holds without asking. */
    static final int CAPACITY = 256 * 1024;

    /** There are only as many as were in use at once. To make and close one for each transmission costs four calls. */
    private static final int MOST_SPARE = 64;

    /**
     * A pipe.
     *
     * @param readEnd  where bytes come out
     * @param writeEnd where they go in
     */
    record Pipe(int readEnd, int writeEnd) {
    }

    private final Posix posix = Bindings.current().posix();
    private final MemoryBlock descriptors = Bindings.current().memory().allocate(2 * Integer.BYTES);
    private final ArrayDeque<Pipe> spare = new ArrayDeque<>();
    private int failure;

    /** {@return an empty pipe, or null if the system has no more descriptors: {@link #failure()} tells} */
    Pipe take() {
        Pipe pipe = spare.poll();
        return pipe != null ? pipe : open();
    }

    private Pipe open() {
        failure = Bindings.current().linux().pipe2(descriptors.address(), FileConstants.O_CLOEXEC);
        if (failure < 0) {
            return null;
        }
        Pipe pipe = new Pipe(descriptors.buffer().getInt(0), descriptors.buffer().getInt(Integer.BYTES));
        // Refused when the user has many pipes already (pipe(7)); then it takes more round trips.
        posix.fcntl(pipe.writeEnd, FileConstants.F_SETPIPE_SZ, CAPACITY);
        return pipe;
    }

    /** {@return the negated error number of the last {@link #take()} that gave none} */
    int failure() {
        return failure;
    }

    /**
     * Gives a pipe back.
     *
     * @param pipe  from {@link #take()}
     * @param empty whether nothing was left in it; otherwise it is closed
     */
    void giveBack(Pipe pipe, boolean empty) {
        if (empty && spare.size() < MOST_SPARE) {
            spare.push(pipe);
        } else {
            close(pipe);
        }
    }

    private void close(Pipe pipe) {
        check(posix.close(pipe.readEnd));
        check(posix.close(pipe.writeEnd));
    }

    private static void check(int result) {
        if (result < 0 && !Errno.EINTR.is(result)) {
            throw new IllegalStateException("close of a pipe: " + Errno.describe(result));
        }
    }

    @Override
    public void close() {
        spare.forEach(this::close);
        descriptors.close();
    }
}
