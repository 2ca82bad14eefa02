package dev.sluice.samples.web.files;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Map;

/**
 * Which file this is, and in which version.
 *
 * @param inode    its number in its file system; 0 where files have none
 * @param size     in bytes
 * @param modified when; nanoseconds since 1970 would not reach beyond 2262, and file systems do
 * @param kind     what it is
 */
public record FileStamp(long inode, long size, FileTime modified, Kind kind) {

    /** What a name stands for. */
    public enum Kind {
        /** A file with contents. */
        REGULAR,
        /** A directory. */
        DIRECTORY,
        /** A FIFO, a socket, a device, or a link. */
        OTHER
    }

    // One call for all of them, so that they belong together.
    private static final String ATTRIBUTES = "size,lastModifiedTime,isRegularFile,isDirectory";

    /**
     * The stamp of an open file itself, whatever its name stands for by now; null if it may not be looked at. A name
     * cannot tell: the inode of a file that was replaced goes to the next one that is made.
     */
    static FileStamp of(FileHandle file, Path path) throws IOException {
        return Bindings.current().os() == Platform.Os.WINDOWS ? of(path) : of(file.status());
    }

    static FileStamp of(BasicFileAttributes status) {
        Kind kind = status.isRegularFile() ? Kind.REGULAR : status.isDirectory() ? Kind.DIRECTORY : Kind.OTHER;
        return new FileStamp((Long) status.fileKey(), status.size(), status.lastModifiedTime(), kind);
    }

    /**
     * {@return the stamp of what is there now, not following a link; null if nothing is, or nothing that may be looked
     * at}
     */
    static FileStamp of(Path path) {
        Map<String, Object> attributes;
        try {
            attributes = Files.readAttributes(path, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            return null;
        }
        Kind kind = attributes.get("isRegularFile").equals(true) ? Kind.REGULAR
                : attributes.get("isDirectory").equals(true) ? Kind.DIRECTORY : Kind.OTHER;
        return new FileStamp(0, ((Number) attributes.get("size")).longValue(),
                (FileTime) attributes.get("lastModifiedTime"), kind);
    }

    /** {@return the second in which the file was modified, since 1970} */
    public long modifiedSecond() {
        return modified.toInstant().getEpochSecond();
    }

    /** {@return a strong validator, in quotation marks: another version has another one} */
    public String tag() {
        return '"' + version() + '"';
    }

    /** The validator of the same version in a coding, of the size that it has there. */
    String tag(String coding) {
        return '"' + version() + '-' + coding + '"';
    }

    private String version() {
        return Long.toHexString(inode) + '-' + Long.toHexString(size) + '-' + Long.toHexString(modifiedSecond())
                + '-' + Integer.toHexString(modified.toInstant().getNano());
    }
}
