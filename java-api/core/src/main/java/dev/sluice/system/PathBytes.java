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
 * What a path is for the system: bytes. A Java path has them, but its text has only those that are in the encoding of
 * file names: in the locale "C", or in a name that is not UTF-8, it has a U+FFFD for each of the others.
 */
public final class PathBytes {

    /**
     * A path becomes a URI, byte by byte, below something that has nothing below it: Java looks whether there is a
     * directory of that name, and must not wait for the disk or a server for that.
     */
    private static final String NOWHERE = "/dev/null";
    private static final int NOWHERE_NAMES = 2;

    private static final int HEXADECIMAL = 16;

    private PathBytes() {
    }

    /**
     * Refuses a path that the system's calls do not know.
     *
     * @param path any
     * @throws ProviderMismatchException if it is in another file system, such as a zip file
     */
    public static void require(Path path) {
        if (path.getFileSystem() != FileSystems.getDefault()) {
            throw new ProviderMismatchException("the system does not know paths of " + path.getFileSystem() + ": "
                    + path);
        }
    }

    /**
     * {@return the bytes, on Windows those of its text in UTF-8}
     *
     * @param path absolute or relative
     * @throws ProviderMismatchException if it is in another file system, such as a zip file
     */
    public static byte[] of(Path path) {
        require(path);
        byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
        return isText(bytes) ? bytes : exactly(path);
    }

    /** {@return whether the text of a path with these bytes has them all} */
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
        String encoded = Path.of(NOWHERE).resolve(relative).toUri().getRawPath();
        int at = NOWHERE.length() + (path.isAbsolute() ? 0 : 1);
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
     * {@return the path that has these bytes, on Windows the one whose text they are in UTF-8}
     *
     * @param bytes none of them 0
     * @throws java.nio.file.InvalidPathException if there is no such path, on Windows
     */
    public static Path toPath(byte[] bytes) {
        return isText(bytes) ? Path.of(new String(bytes, StandardCharsets.UTF_8)) : exactly(bytes);
    }

    private static Path exactly(byte[] bytes) {
        StringBuilder uri = new StringBuilder("file://" + NOWHERE);
        byte last = '/';
        for (byte each : bytes) {
            if (each != '/') {
                // Java takes a path from a URI as it is, with names that are empty.
                uri.append(last == '/' ? "/%" : "%").append(HexFormat.of().toHexDigits(each));
            }
            last = each;
        }
        Path path = Path.of(URI.create(uri.toString()));
        Path relative = path.subpath(NOWHERE_NAMES, path.getNameCount());
        return bytes[0] == '/' ? path.getRoot().resolve(relative) : relative;
    }
}
