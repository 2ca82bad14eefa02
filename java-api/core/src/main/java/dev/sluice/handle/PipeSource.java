package dev.sluice.handle;

import dev.sluice.calls.Errno;
import dev.sluice.handle.spi.Descriptor;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The end of a pipe that bytes come out of. */
public final class PipeSource implements Closeable {

    private static final ByteTransfer.Call READ = (system, fd, address, length, none) ->
            system.read(fd, address, length);

    private final Descriptor descriptor;

    /**
     * Wraps a handle that can be read, such as standard input.
     *
     * @param handle owned by this object from now on
     */
    public PipeSource(Handle handle) {
        this.descriptor = handle.descriptor;
    }

    /** {@return the handle} */
    public Handle handle() {
        return descriptor.handle();
    }

    /**
     * Receives what is there, without waiting.
     *
     * @param destination takes the bytes; its position advances
     * @return how many bytes were received, 0 if none are there now, or {@link SocketStream#END_OF_STREAM} when every
     *         sink of the pipe is closed and all is read
     * @throws SystemCallException   if the call fails
     * @throws HandleClosedException if this end is closed
     */
    public int receive(ByteBuffer destination) throws IOException {
        if (!destination.hasRemaining()) {
            return 0;
        }
        long result = ByteTransfer.in(descriptor, destination, READ, 0);
        if (result > 0) {
            return (int) result;
        }
        if (Errno.EAGAIN.is(result)) {
            return 0;
        }
        if (result < 0) {
            throw new SystemCallException("read", handle(), result);
        }
        return SocketStream.END_OF_STREAM;
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
