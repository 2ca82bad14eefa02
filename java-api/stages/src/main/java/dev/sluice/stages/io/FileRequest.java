package dev.sluice.stages.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A request to a file. The requests of a file are performed in order.
 *
 * @param operation the kind of request
 * @param buffer    of a read or write; otherwise null
 * @param position  of a seek
 * @param token     of the application
 */
record FileRequest(FileOperation operation, ByteBuffer buffer, long position, Object token) {

    FileCompletion completion(StagedFile file, long result, IOException cause) {
        return new FileCompletion(file, operation, token, cause == null ? result : 0, cause);
    }
}
