package dev.sluice.benchmarks.lucene;

import dev.sluice.files.FileLoop;
import dev.sluice.lucene.SluiceDirectory;
import dev.sluice.lucene.SluiceLockFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.apache.lucene.misc.store.DirectIODirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;

/** The directories that are compared. */
enum Directories {

    /** Lucene's default; its prefetch advises the system. */
    MAPPED("MMapDirectory") {
        @Override
        Directory open(Path path, int buffer, long memory) throws IOException {
            return new MMapDirectory(path);
        }
    },
    /** Reads by {@code FileChannel}. */
    CHANNELS("NIOFSDirectory") {
        @Override
        Directory open(Path path, int buffer, long memory) throws IOException {
            return new NIOFSDirectory(path);
        }
    },
    /** Reads directly what the question is about, and maps the rest. */
    DIRECT("DirectIODirectory") {
        @Override
        Directory open(Path path, int buffer, long memory) throws IOException {
            return new DirectIODirectory(FSDirectory.open(path), buffer, 0) {
                @Override
                protected boolean useDirectIO(String name, IOContext context, OptionalLong fileLength) {
                    return isLarge(name);
                }
            };
        }
    },
    /** As it is opened by default. */
    SLUICE("SluiceDirectory") {
        @Override
        Directory open(Path path, int buffer, long memory) throws IOException {
            return new SluiceDirectory(path);
        }
    },
    /** The same with what this library has for it. */
    SLUICE_DIRECT("SluiceDirectory, direct") {
        @Override
        Directory open(Path path, int buffer, long memory) throws IOException {
            FileLoop loop = FileLoop.open();
            SluiceDirectory directory = null;
            try {
                directory = new SluiceDirectory(path, SluiceLockFactory.INSTANCE, loop, memory + memory / 3);
            } finally {
                if (directory == null) {
                    loop.close();
                }
            }
            directory.setDirect((name, context) -> isLarge(name));
            directory.setMapped((name, context) -> !isLarge(name));
            return new FilterDirectory(directory) {
                @Override
                public void close() throws IOException {
                    try (loop) {
                        super.close();
                    }
                }
            };
        }
    };

    /** The name in tables. */
    private final String label;

    Directories(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    /** {@return whether a file has the stored fields or the full vectors} */
    private static boolean isLarge(String name) {
        return name.endsWith(".fdt") || name.endsWith(".vec");
    }

    /**
     * Opens the directory.
     *
     * @param path   of the index
     * @param buffer the size of the reads of {@link #DIRECT}, in bytes
     * @param memory what {@link #SLUICE_DIRECT} has for the ranges that are announced, in bytes: three quarters of the
     *               memory of the directory, whose fourth quarter it does not need
     * @return the directory; the caller closes it
     */
    abstract Directory open(Path path, int buffer, long memory) throws IOException;
}
