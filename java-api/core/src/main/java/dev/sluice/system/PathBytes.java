package dev.sluice.system;

import dev.sluice.calls.Platform;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Converts between paths and the bytes that they are for the system. A Java path contains all the bytes, but its text
 * contains only those that the encoding of file names can decode: in the locale "C", or in a name that is not UTF-8,
 * the text has U+FFFD for each of the others.
 */
public final class PathBytes {

    /**
     * A parent for paths that are converted to URIs, which preserves their bytes. It is not a directory, because Java
     * tests whether the path exists, which must not wait for a disk or a server.
     */
    private static final String PARENT = "/dev/null";
    private static final int PARENT_NAMES = 2;

    private static final int HEXADECIMAL = 16;

    /** The name of a directory in itself. */
    public static final Path ITSELF = Path.of(".");
    private static final Path ABOVE = Path.of("..");

    private PathBytes() {
    }

    /**
     * Checks that a path can be passed to the system's calls.
     *
     * @param path the path
     * @throws ProviderMismatchException if it is in another file system, such as a zip file
     */
    public static void require(Path path) {
        if (path.getFileSystem() != FileSystems.getDefault()) {
            throw new ProviderMismatchException("the operating system cannot use a path of "
                    + path.getFileSystem() + ": " + path);
        }
    }

    /**
     * Checks that a path is a single name, which can be looked up in an open directory.
     *
     * @param name the path
     * @throws IllegalArgumentException if it is not a single name, or {@code .} or {@code ..}
     * @throws ProviderMismatchException if it is in another file system, such as a zip file
     */
    public static void requireName(Path name) {
        require(name);
        if (name.isAbsolute() || name.getNameCount() != 1 || name.toString().isEmpty() || name.equals(ITSELF)
                || name.equals(ABOVE)) {
            throw new IllegalArgumentException("not a single name: " + name);
        }
    }

    /**
     * {@return the bytes of a path; on Windows, those of its text in UTF-8}
     *
     * @param path the path, absolute or relative
     * @throws ProviderMismatchException if it is in another file system, such as a zip file
     */
    public static byte[] of(Path path) {
        require(path);
        byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
        return isText(bytes) ? bytes : exactly(path);
    }

    /** {@return whether the text of a path with these bytes represents all of them} */
    private static boolean isText(byte[] bytes) {
        if (Platform.CURRENT.os() == Platform.Os.WINDOWS) {
            return true;
        }
        for (byte each : bytes) {
            if (each < 0) {
                return false;
            }
        }
        return true;
    }

    private static byte[] exactly(Path path) {
        Path relative = path.isAbsolute() ? path.subpath(0, path.getNameCount()) : path;
        String encoded = Path.of(PARENT).resolve(relative).toUri().getRawPath();
        int at = PARENT.length() + (path.isAbsolute() ? 0 : 1);
        byte[] bytes = new byte[encoded.length() - at];
        int size = 0;
        while (at < encoded.length()) {
            if (encoded.charAt(at) == '%') {
                bytes[size++] = (byte) Integer.parseInt(encoded, at + 1, at + 3, HEXADECIMAL);
                at += 3;
            } else {
                bytes[size++] = (byte) encoded.charAt(at++);
            }
        }
        return Arrays.copyOf(bytes, size);
    }

    /**
     * {@return the path with these bytes; on Windows, the one with this text in UTF-8}
     *
     * @param bytes the bytes, none of which is 0
     * @throws java.nio.file.InvalidPathException on Windows, if the text is not a valid path
     */
    public static Path toPath(byte[] bytes) {
        return isText(bytes) ? Path.of(new String(bytes, StandardCharsets.UTF_8)) : exactly(bytes);
    }

    private static Path exactly(byte[] bytes) {
        StringBuilder uri = new StringBuilder("file://" + PARENT);
        byte last = '/';
        for (byte each : bytes) {
            if (each != '/') {
                // Java does not remove empty names from the path of a URI.
                uri.append(last == '/' ? "/%" : "%").append(HexFormat.of().toHexDigits(each));
            }
            last = each;
        }
        Path path = Path.of(URI.create(uri.toString()));
        Path relative = path.subpath(PARENT_NAMES, path.getNameCount());
        return bytes[0] == '/' ? path.getRoot().resolve(relative) : relative;
    }
}
