package dev.sluice.samples.web.files;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** The directory outside of which nothing is ever served; the package comment says how far that goes. */
public final class DocumentRoot {

    /** Elsewhere a name may not be the real one, for instance if its letters are in another case. */
    private static final boolean LINUX = Bindings.current().os() == Platform.Os.LINUX;

    private final Path root;

    /**
     * Takes a directory, where its path leads to now.
     *
     * @param directory the directory
     * @throws IOException if there is none
     */
    public DocumentRoot(Path directory) throws IOException {
        root = directory.toRealPath();
        if (!Files.isDirectory(root)) {
            throw new NotDirectoryException(directory.toString());
        }
    }

    /**
     * What a URL's path leads to.
     *
     * @param path  its real path, in which no link is left
     * @param stamp what is there
     */
    record Place(Path path, FileStamp stamp) {
    }

    /** {@return what a URL's path leads to, or null if that is nothing or not below the root} */
    Place find(String path) {
        Path named = below(path);
        if (named == null) {
            return null;
        }
        try {
            FileStamp stamp = LINUX && named.startsWith(root) ? stampWithoutLinks(named) : null;
            if (stamp != null) {
                return new Place(named, stamp);
            }
            Path real = named.toRealPath();
            stamp = real.startsWith(root) ? FileStamp.of(real) : null;
            return stamp == null ? null : new Place(real, stamp);
        } catch (IOException e) {
            // Nothing there, not permitted, too long, a loop of links: all the same.
            return null;
        }
    }

    /**
     * The stamp of what is there if no link leads to it, so that its name is its real path; otherwise null. Nearly all
     * files are found so, with a system call for each part of the name below the root. A real path costs one for each
     * part of all of it.
     */
    private FileStamp stampWithoutLinks(Path named) throws IOException {
        FileStamp stamp = FileStamp.of(named);
        if (stamp == null || stamp.kind() == FileStamp.Kind.OTHER) {
            return null;
        }
        Path parent = root;
        for (int i = root.getNameCount(); i < named.getNameCount(); i++) {
            String name = named.getName(i).toString();
            if (i > root.getNameCount() && !isDirectoryItself(parent) || name.equals(".") || name.equals("..")) {
                return null;
            }
            parent = parent.resolve(name);
        }
        return stamp;
    }

    private static boolean isDirectoryItself(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).isDirectory();
    }

    /** The path that a URL's path names, whether anything is there or not; null if it cannot be one. */
    Path below(String path) {
        try {
            return root.resolve(path.substring(1));
        } catch (InvalidPathException e) {
            return null;
        }
    }

    @Override
    public String toString() {
        return root.toString();
    }
}
