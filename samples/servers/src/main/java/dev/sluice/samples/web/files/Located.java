package dev.sluice.samples.web.files;

import java.io.Closeable;
import java.nio.file.Path;

/**
 * Where a path ends.
 *
 * @param directory the directory
 * @param name      a name there that is not a link; null for the directory itself
 * @param stamp     the state of the file
 */
record Located(HeldDirectory directory, Path name, FileStamp stamp) implements Closeable {

    /** {@return its real path} */
    Path path() {
        return name == null ? directory.path() : directory.path().resolve(name);
    }

    @Override
    public void close() {
        directory.close();
    }
}
