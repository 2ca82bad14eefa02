package dev.sluice.samples.web.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** The directory outside of which nothing is ever served; the package comment says how far that goes. */
public final class DocumentRoot {

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

    /** The real path of what a URL's path names, or null if that is nothing or not below the root. */
    Path resolve(String path) {
        try {
            Path real = root.resolve(path.substring(1)).toRealPath();
            return real.startsWith(root) ? real : null;
        } catch (IOException | InvalidPathException e) {
            // Nothing there, not permitted, too long, a loop of links, a name that no file can have: all the same.
            return null;
        }
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
