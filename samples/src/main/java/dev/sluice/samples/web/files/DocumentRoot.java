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
    private final boolean hasWindowsNames;

    /**
     * Takes a directory, where its path leads to now.
     *
     * @param directory the directory
     * @throws IOException if there is none
     */
    public DocumentRoot(Path directory) throws IOException {
        this(directory, Bindings.current().os());
    }

    /**
     * Takes a directory, where its path leads to now, and refuses the names that a system takes for something else.
     *
     * @param directory the directory
     * @param names     the system
     * @throws IOException if there is no such directory
     */
    public DocumentRoot(Path directory, Platform.Os names) throws IOException {
        hasWindowsNames = names == Platform.Os.WINDOWS;
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
            FileStamp stamp = LINUX ? stampWithoutLinks(named) : null;
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
            if (i > root.getNameCount() && !isDirectoryItself(parent)) {
                return null;
            }
            parent = parent.resolve(named.getName(i));
        }
        return stamp;
    }

    private static boolean isDirectoryItself(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).isDirectory();
    }

    /**
     * The path that a URL's path names, whether anything is there or not. Null if one of its parts cannot be the name
     * of a file below the root; the system has not been asked then.
     */
    Path below(String path) {
        try {
            return isOfNames(path) ? root.resolve(path.substring(1)) : null;
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /** {@return whether each part of a path is a name; it begins with a slash, and may end with one} */
    private boolean isOfNames(String path) {
        if (!path.startsWith("/")) {
            return false;
        }
        int begin = 1;
        while (begin < path.length()) {
            int slash = path.indexOf('/', begin);
            int end = slash < 0 ? path.length() : slash;
            if (!isName(path.substring(begin, end))) {
                return false;
            }
            begin = end + 1;
        }
        return true;
    }

    private boolean isName(String part) {
        return !part.isEmpty() && !part.equals(".") && !part.equals("..")
                && part.chars().noneMatch(each -> each == '\\' || Character.isISOControl(each))
                && !(hasWindowsNames && WindowsName.isElsewhere(part));
    }

    @Override
    public String toString() {
        return root.toString();
    }
}
