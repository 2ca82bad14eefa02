package dev.sluice.handle;

import dev.sluice.calls.Errno;
import dev.sluice.handle.spi.Descriptor;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The end of a pipe that bytes go into. */
public final class PipeSink implements Closeable {

    private static final ByteTransfer.Call WRITE = (system, fd, address, length, none) ->
            system.write(fd, address, length);

    private final Descriptor descriptor;

    /**
     * Wraps a handle that can be written, such as standard output.
     *
     * @param handle owned by this object from now on
     */
    public PipeSink(Handle handle) {
        this.descriptor = handle.descriptor;
    }

    /** {@return the handle} */
    public Handle handle() {
        return descriptor.handle();
    }

    /**
     * Sends what the pipe takes now, without waiting.
     *
     * @param source the bytes; its position advances by what was sent
     * @return how many bytes were taken, perhaps 0
     * @throws SystemCallException   {@code EPIPE} if every source of the pipe is closed
     * @throws HandleClosedException if this end is closed
     */
    public int send(ByteBuffer source) throws IOException {
        if (!source.hasRemaining()) {
            return 0;
        }
        long result = ByteTransfer.out(descriptor, source, WRITE, 0);
        if (result >= 0) {
            return (int) result;
        }
        if (Errno.EAGAIN.is(result)) {
            return 0;
        }
        throw new SystemCallException("write", handle(), result);
    }

    @Override
    public void close() {
        descriptor.close();
    }

    @Override
    public String toString() {
        return descriptor.toString();
    }
}
