package dev.sluice.stages.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A request to a file. The requests of a file are performed in order.
 *
 * @param operation the kind of request
 * @param buffer    of a read or write; otherwise null
 * @param position  of a seek
 * @param token     of the application
 */
record FileRequest(FileOperation operation, @Nullable ByteBuffer buffer, long position, @Nullable Object token) {

    /** {@return the buffer of a read or write} */
    ByteBuffer bytes() {
        assert buffer != null;
        return buffer;
    }

    FileCompletion completion(StagedFile file, long result, @Nullable IOException cause) {
        return new FileCompletion(file, operation, token, cause == null ? result : 0, cause);
    }
}
