package dev.sluice.samples.web.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A directory below the root within which clients may replace files. */
public final class WritableDirectory {

    /** No file system has longer names, in octets, that is likely to be met; what is longer fails at the end of all. */
    private static final int LONGEST_NAME = 255;

    /** For each directory that has ever been configured: two configurations may be in use at once, after a reload. */
    private static final Map<Path, Object> LOCKS = new ConcurrentHashMap<>();

    private final DocumentRoot root;
    private final String prefix;
    private final Path real;
    private final Object lock;

    /**
     * Takes a directory.
     *
     * @param root what it is below
     * @param path its path in a URL, beginning with a slash
     * @throws IOException if it is not there, or not below the root
     */
    public WritableDirectory(DocumentRoot root, String path) throws IOException {
        this.root = root;
        this.prefix = path.endsWith("/") ? path : path + "/";
        DocumentRoot.Place place = root.find(path);
        if (place == null || place.stamp().kind() != FileStamp.Kind.DIRECTORY) {
            throw new NotDirectoryException(path);
        }
        this.real = place.path();
        this.lock = LOCKS.computeIfAbsent(real, directory -> new Object());
    }

    /**
     * {@return the object whose monitor a thread holds while it compares a file and replaces it; one for the directory,
     * not for this object}
     */
    public Object lock() {
        return lock;
    }

    /**
     * Whether a path lies in the directory, which says nothing of what is there.
     *
     * @param path decoded and normalised, beginning with a slash
     * @return whether it does
     */
    public boolean contains(String path) {
        return path.startsWith(prefix);
    }

    /**
     * Finds where the file of a path is, or would be.
     *
     * @param path of a file in the directory
     * @return what replaces it, and has not begun; the caller closes it. Null if it is the path of a directory, or
     *     there is no such directory to put it into, or no file can have such a name here
     * @throws IOException if the system refuses to open the directory just now
     */
    public Upload upload(String path) throws IOException {
        int slash = path.lastIndexOf('/');
        String name = path.substring(slash + 1);
        Path named = root.below(path);
        if (name.isEmpty() || name.getBytes(UTF_8).length > LONGEST_NAME || named == null) {
            return null;
        }
        HeldDirectory parent = root.directory(path.substring(0, slash + 1));
        if (parent != null && !parent.path().startsWith(real)) {
            parent.close();
            parent = null;
        }
        return parent == null ? null : new Upload(parent, named.getFileName());
    }
}
