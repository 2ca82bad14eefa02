package dev.sluice.samples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder that is swapped for a symbolic link to another one, and back, as fast as the system can. The one has a file
 * with {@link #INSIDE}, the other one files of the same and of another name with {@link #OUTSIDE}.
 */
public final class SwappedFolder implements AutoCloseable {

    /** The folder's name. */
    public static final String NAME = "swapped";
    /** The file that is in both folders. */
    public static final String FILE = "file.txt";
    /** The file that is in the other one alone. */
    public static final String OUTSIDE_ALONE = "outside.txt";
    public static final String INSIDE = "inside";
    public static final String OUTSIDE = "outside";

    private final Path folder;
    private final Path aside;
    private final Path link;
    private final Path outside;
    private final Background<Void> swapping;
    private volatile boolean done;

    /**
     * Creates both folders, and begins to swap.
     *
     * @param parent  in which the folder is
     * @param outside the other one, which is made
     */
    public SwappedFolder(Path parent, Path outside) throws IOException {
        this.folder = parent.resolve(NAME);
        this.outside = Files.createDirectories(outside);
        aside = Files.createDirectories(parent.resolve("aside"));
        link = Files.createSymbolicLink(parent.resolve("link"), outside.toAbsolutePath());
        Files.writeString(aside.resolve(FILE), INSIDE);
        Files.writeString(outside.resolve(FILE), OUTSIDE);
        Files.writeString(outside.resolve(OUTSIDE_ALONE), OUTSIDE);
        swapping = Background.run(this::swap);
    }

    private Void swap() throws IOException {
        while (!done) {
            Files.move(aside, folder);
            Files.move(folder, aside);
            Files.move(link, folder);
            Files.move(folder, link);
        }
        return null;
    }

    /** {@return whether it is not swapped any more, for {@link #close} tells why} */
    public boolean hasEnded() {
        return swapping.isDone();
    }

    /** {@return the names in the other folder besides its own} */
    public List<String> strangers() throws IOException {
        try (Stream<Path> all = Files.list(outside)) {
            return all.map(each -> each.getFileName().toString())
                    .filter(name -> !name.equals(FILE) && !name.equals(OUTSIDE_ALONE)).sorted().toList();
        }
    }

    /** Ends it, with the folder set aside. */
    @Override
    public void close() throws Exception {
        done = true;
        swapping.result();
    }
}
