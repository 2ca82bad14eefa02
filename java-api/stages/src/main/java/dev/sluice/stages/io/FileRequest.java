package dev.sluice.stages.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One of the things that a file is asked for, one after the other.
 *
 * @param operation what for
 * @param buffer    of a read or write; otherwise null
 * @param position  of a seek
 * @param token     of the application
 */
record FileRequest(FileOperation operation, ByteBuffer buffer, long position, Object token) {

    FileCompletion completion(StagedFile file, long result, IOException cause) {
        return new FileCompletion(file, operation, token, cause == null ? result : 0, cause);
    }
}
