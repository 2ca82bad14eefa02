package dev.sluice.benchmarks.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.SplittableRandom;

/**
 * The static files of SPECweb99, and how often each is asked for. A directory has four classes of nine files each: of
 * 0.1 to 0.9 KiB, and of 10, 100 and 1000 times as much.
 */
public final class FileSet {

    private static final int CLASSES = 4;
    private static final int FILES = 9;
    /** The percentage of requests for files of each class. */
    private static final int[] PERCENT = {35, 50, 14, 1};
    /** The files of a class, the most popular one first. */
    private static final int[] POPULARITY = {4, 3, 5, 2, 6, 1, 7, 8, 0};
    private static final int KIB = 1024;
    private static final int HUNDRED = 100;
    private static final int PIECE = 256 * KIB;

    private final int directories;
    private final Zipf directory;
    private final Zipf file = new Zipf(FILES);
    private final Page[] pages;

    /**
     * Creates a set, without writing it.
     *
     * @param directories the number of directories
     */
    public FileSet(int directories) {
        this.directories = directories;
        this.directory = new Zipf(directories);
        this.pages = new Page[directories * CLASSES * FILES];
    }

    /**
     * {@return the number of directories}
     *
     * @param load the target load of SPECweb99, in connections
     */
    public static int directories(int load) {
        // 25, and the operations per second of all connections at 400 000 bit/s each.
        return (int) (25 + 400_000.0 / 122_000 * load / 5);
    }

    /** {@return the bytes of all files together} */
    public long bytes() {
        long bytes = 0;
        for (int number = 0; number < CLASSES * FILES; number++) {
            bytes += size(number);
        }
        return bytes * directories;
    }

    /**
     * Writes the files.
     *
     * @param root is made; what is there is overwritten
     * @throws IOException if there is no space for them, or they cannot be written
     */
    public void write(Path root) throws IOException {
        Files.createDirectories(root);
        long space = Files.getFileStore(root).getUsableSpace();
        if (space < bytes()) {
            throw new IOException("the files take " + bytes() + " bytes, and there are only " + space + " left for "
                    + root);
        }
        ByteBuffer pattern = new Pattern(PIECE).view();
        for (int number = 0; number < pages.length; number++) {
            Page page = page(number);
            Path path = root.resolve(page.path().substring(1));
            Files.createDirectories(path.getParent());
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
                int place = page.place();
                for (int left = page.size(); left > 0;) {
                    int count = Math.min(left, PIECE);
                    pattern.limit(place + count).position(place);
                    while (pattern.hasRemaining()) {
                        channel.write(pattern);
                    }
                    place = Pattern.after(place, count);
                    left -= count;
                }
            }
        }
    }

    /**
     * Removes the files, and the directory with whatever else is in it.
     *
     * @param root the directory they were written to
     * @throws IOException if one cannot be removed
     */
    public static void remove(Path root) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                Files.delete(path);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path path, IOException problem) throws IOException {
                if (problem != null) {
                    throw problem;
                }
                Files.delete(path);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** {@return what is asked for next} */
    Page choose(SplittableRandom random) {
        int number = directory.choose(random);
        number = number * CLASSES + chooseClass(random);
        return page(number * FILES + POPULARITY[file.choose(random)]);
    }

    private static int chooseClass(SplittableRandom random) {
        int percent = random.nextInt(HUNDRED);
        int chosen = 0;
        while (percent >= PERCENT[chosen]) {
            percent -= PERCENT[chosen];
            chosen++;
        }
        return chosen;
    }

    /** {@return a file, by its number in the order of directories, classes and sizes} */
    Page page(int number) {
        if (pages[number] == null) {
            int inDirectory = number % (CLASSES * FILES);
            pages[number] = new Page("/dir%05d/class%d_%d".formatted(number / (CLASSES * FILES), inDirectory / FILES,
                    inDirectory % FILES + 1), size(inDirectory), Pattern.begin(number));
        }
        return pages[number];
    }

    private static int size(int inDirectory) {
        int tenths = inDirectory % FILES + 1;
        for (int i = 0; i < inDirectory / FILES; i++) {
            tenths *= 10;
        }
        return tenths * KIB / 10;
    }
}
