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

    /** What the path of a user's directory begins with; the login follows. */
    private static final String TILDE = "/~";

    private final Path root;
    /** The directory that is opened by its path: the root, or one above it, from which on no link leads to the root. */
    private final Path anchor;
    private final boolean hasWindowsNames;
    /** Null on other systems. */
    private final FinalPath finalRoot;
    /** Leads to the directories of users; null if there are none. */
    private final TildeExpander users;

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
        anchor = root;
        finalRoot = WINDOWS ? FinalPath.of(root) : null;
        users = null;
    }

    private DocumentRoot(Path root, Path anchor, DocumentRoot like, TildeExpander users) {
        this.root = root;
        this.anchor = anchor;
        this.hasWindowsNames = like != null && like.hasWindowsNames;
        this.finalRoot = like == null ? null : like.finalRoot;
        this.users = users;
    }

    /**
     * Takes a directory that belongs to another user than the one above it, who may replace it at any time: each search
     * opens it within the one above, and follows no link there. Not for Windows.
     *
     * @param above the directory above, where its path leads to now
     * @param name  a single one
     * @return the directory, which may not be there
     * @throws IOException if there is no directory above
     */
    static DocumentRoot within(Path above, String name) throws IOException {
        Path real = above.toRealPath();
        return new DocumentRoot(real.resolve(name), real, null, null);
    }

    /**
     * {@return the same directory, in which {@code /~login} leads to the directory of a user, and nowhere else}
     *
     * @param expander leads there
     */
    public DocumentRoot expanding(TildeExpander expander) {
        return new DocumentRoot(root, anchor, this, expander);
    }

    /** Where a path is to be searched: in the directory of a user if it begins with a tilde. */
    private record Part(DocumentRoot root, String path) {
    }

    /** Null if there is no such user, or if it has no such directory. */
    private Part part(String path) {
        if (!isOfUser(path)) {
            return new Part(this, path);
        }
        int slash = path.indexOf('/', 1);
        int end = slash < 0 ? path.length() : slash;
        DocumentRoot user = users.expand(path.substring(TILDE.length(), end));
        return user == null ? null : new Part(user, slash < 0 ? "/" : path.substring(end));
    }

    private boolean isOfUser(String path) {
        return users != null && path.startsWith(TILDE);
    }

    /**
     * {@return whether a directory is a root: no event of a watched directory above it reports its renaming}
     *
     * @param directory its path in a URL, with a slash at its end
     */
    boolean isRoot(String directory) {
        return directory.equals("/") || isOfUser(directory) && directory.indexOf('/', 1) == directory.length() - 1;
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
        if (isOfUser(path + name) && path.equals("/") || below(path + name) == null) {
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
        Part part = part(path);
        Path named = part == null ? null : part.root().named(part.path());
        if (named == null) {
            return null;
        }
        try {
            return WINDOWS ? WindowsDirectory.follow(root, finalRoot, named)
                    : Walk.follow(part.root().anchor, part.root().root, named);
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
        Part part = part(path);
        return part == null ? null : part.root().named(part.path());
    }

    private Path named(String path) {
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
