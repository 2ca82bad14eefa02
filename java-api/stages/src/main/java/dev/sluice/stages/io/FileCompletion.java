package dev.sluice.stages.io;

import java.io.IOException;

/**
 * A request of a file is done, or has failed.
 *
 * @param file      which was asked
 * @param operation what for
 * @param token     what the application has given with it; null for opening it
 * @param result    the bytes that were read, -1 at the end of the file, or written; the position, in bytes, after a
 *                  seek; the size, in bytes, after a stat; otherwise 0
 * @param cause     why it failed; null if it has not
 */
public record FileCompletion(StagedFile file, FileOperation operation, Object token, long result, IOException cause) {
}
