package dev.sluice.samples.web.files;

/**
 * Something in a directory.
 *
 * @param name           of it, without a path
 * @param isDirectory    whether it is a directory, or a link to one
 * @param size           in octets
 * @param modifiedSecond when it was modified, in seconds since 1970
 */
public record DirectoryEntry(String name, boolean isDirectory, long size, long modifiedSecond) {
}
