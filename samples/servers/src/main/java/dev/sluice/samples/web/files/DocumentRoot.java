package dev.sluice.samples.web.files;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.SystemCallException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** The root directory, outside of which nothing is ever served; see the package description for the guarantees. */
public final class DocumentRoot {

    private static final int ATTEMPTS = 100;
    private static final boolean WINDOWS = Bindings.current().os() == Platform.Os.WINDOWS;

    private final Path root;
    private final boolean hasWindowsNames;
    /** Null on other systems. */
    private final FinalPath finalRoot;

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
        finalRoot = WINDOWS ? FinalPath.of(root) : null;
    }

    /**
     * What a URL's path leads to.
     *
     * @param path  its real path, in which no link is left
     * @param stamp the state of the file
     */
    record Place(Path path, FileStamp stamp) {
    }

    /**
     * A file that has been opened, if it is one.
     *
     * @param place what a URL's path has led to; of a file, what is open
     * @param file  the file, which the caller closes; null for a directory, and for what is not opened
     */
    record Opened(Place place, FileHandle file) {
    }

    /**
     * {@return what a URL's path leads to, or null if that is nothing or not below the root}
     *
     * @throws IOException if the system does not say so just now
     */
    Place find(String path) throws IOException {
        try (Located found = locate(path)) {
            return found == null ? null : new Place(found.path(), found.stamp());
        }
    }

    /**
     * Opens what a URL's path leads to, if it is a regular file.
     *
     * @return what it has led to; null if that is nothing or not below the root
     * @throws IOException if the system refuses just now
     */
    Opened open(String path) throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            try (Located found = locate(path)) {
                if (found == null) {
                    return null;
                }
                if (found.stamp().kind() != FileStamp.Kind.REGULAR) {
                    return new Opened(new Place(found.path(), found.stamp()), null);
                }
                Opened opened = open(found);
                if (opened != null) {
                    return opened;
                }
            } catch (IOException e) {
                if (Absence.isMeant(e)) {
                    return null;
                }
                throw e;
            }
        }
        throw new IOException(path + " is being replaced faster than it can be opened");
    }

    /** Null if something else has taken the place of the file. */
    private static Opened open(Located found) throws IOException {
        FileHandle file;
        try {
            file = found.directory().open(found.name());
        } catch (SystemCallException e) {
            if (e.errorName().equals("ELOOP")) {
                return null;
            }
            throw e;
        }
        try {
            FileStamp stamp = FileStamp.of(file, found.path());
            if (stamp != null && stamp.kind() == FileStamp.Kind.REGULAR) {
                return new Opened(new Place(found.path(), stamp), file);
            }
        } catch (Throwable e) {
            file.close();
            throw e;
        }
        file.close();
        return null;
    }

    /**
     * Opens the directory that a URL's path leads to.
     *
     * @return the directory, which the caller closes; null if it leads to nothing, to something else, or not below the
     *         root
     * @throws IOException if the system refuses just now
     */
    HeldDirectory directory(String path) throws IOException {
        Located found = locate(path);
        if (found == null || found.name() == null) {
            return found == null ? null : found.directory();
        }
        try (found) {
            return found.stamp().kind() == FileStamp.Kind.DIRECTORY ? found.directory().directory(found.name()) : null;
        } catch (IOException e) {
            if (Absence.isMeant(e)) {
                return null;
            }
            throw e;
        }
    }

    /**
     * {@return what a name in a directory leads to; null if that is nothing, not below the root, or what no URL's path
     * names}
     *
     * @param directory the directory
     * @param path      its path in a URL, with a slash at its end
     * @param name      the name
     */
    FileStamp stamp(HeldDirectory directory, String path, Path name) throws IOException {
        if (below(path + name) == null) {
            return null;
        }
        FileStamp stamp = directory.stamp(name);
        if (stamp != null && (WINDOWS || stamp.kind() == FileStamp.Kind.OTHER)) {
            // Perhaps a link.
            Place place = find(path + name);
            return place == null ? null : place.stamp();
        }
        return stamp;
    }

    private Located locate(String path) throws IOException {
        Path named = below(path);
        if (named == null) {
            return null;
        }
        try {
            return WINDOWS ? WindowsDirectory.follow(root, finalRoot, named) : Walk.follow(root, named);
        } catch (IOException e) {
            if (Absence.isMeant(e)) {
                return null;
            }
            throw e;
        }
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
