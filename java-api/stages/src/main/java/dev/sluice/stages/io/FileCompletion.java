package dev.sluice.stages.io;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A request to a file has completed or failed.
 *
 * @param file the file
 * @param operation the kind of request
 * @param token     the token that the application has passed with the request; null for opening the file
 * @param result    the bytes that were read, -1 at the end of the file, or written; the position, in bytes, after a
 *                  seek; the size, in bytes, after a stat; otherwise 0
 * @param cause the failure; null if the request succeeded
 */
public record FileCompletion(StagedFile file, FileOperation operation, @Nullable Object token, long result,
                             @Nullable IOException cause) {
}
