package dev.sluice.benchmarks.file;

import dev.sluice.handle.FileOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The operations that a workload performs on a file.
 *
 * @param path       the file; null if it is not known yet
 * @param writes     whether it is written
 * @param sequential whether the operations follow one another in the file; else their places are chosen at random
 * @param direct     whether they bypass the page cache
 * @param size       the length of each operation in bytes: a multiple of {@link Slot#BLOCK}
 * @param depth      the number of operations that are in flight at once
 * @param computing  whether a virtual thread computes meanwhile
 */
record Job(Path path, boolean writes, boolean sequential, boolean direct, int size, int depth, boolean computing) {

    private static final int COMPONENTS = 7;

    /** {@return random reads of a block each through the page cache} */
    static Job cached(boolean writes, int depth) {
        return new Job(null, writes, false, false, Slot.BLOCK, depth, false);
    }

    /** {@return the same past the page cache} */
    static Job direct(boolean writes, int depth) {
        return new Job(null, writes, false, true, Slot.BLOCK, depth, false);
    }

    /** {@return the same operations on a file} */
    Job on(Path file) {
        return new Job(file, writes, sequential, direct, size, depth, computing);
    }

    /** {@return the same operations, but of a block each} */
    Job ofBlocks() {
        return new Job(path, writes, sequential, direct, Slot.BLOCK, depth, computing);
    }

    /** {@return the arguments of a workload's constructor} */
    List<String> arguments(String own) {
        return List.of(path.toString(), Boolean.toString(writes), Boolean.toString(sequential),
                Boolean.toString(direct), Integer.toString(size), Integer.toString(depth),
                Boolean.toString(computing), own);
    }

    /** {@return what {@link #arguments} was given} */
    static Job of(List<String> arguments) {
        return new Job(Path.of(arguments.get(0)), Boolean.parseBoolean(arguments.get(1)),
                Boolean.parseBoolean(arguments.get(2)), Boolean.parseBoolean(arguments.get(3)),
                Integer.parseInt(arguments.get(4)), Integer.parseInt(arguments.get(5)),
                Boolean.parseBoolean(arguments.get(6)));
    }

    /** {@return the argument that only the workload itself understands} */
    static String own(List<String> arguments) {
        return arguments.get(COMPONENTS);
    }

    /** {@return the options with which the channels of the JDK open the file} */
    Set<OpenOption> ofChannel() {
        Set<OpenOption> options = new HashSet<>(Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
        if (direct) {
            options.add(directOption());
        }
        return options;
    }

    /** {@return the option of the JDK, whose class javac warns of} */
    static OpenOption directOption() {
        try {
            for (Object option : Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
                if (option.toString().equals("DIRECT")) {
                    return (OpenOption) option;
                }
            }
        } catch (ClassNotFoundException e) {
            throw new UnsupportedOperationException("this Java cannot bypass the page cache", e);
        }
        throw new UnsupportedOperationException("this Java cannot bypass the page cache");
    }

    /** {@return the options with which Sluice opens the file} */
    OpenOption[] ofHandle() {
        List<OpenOption> options = new ArrayList<>(List.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
        if (direct) {
            options.add(FileOption.DIRECT);
        }
        return options.toArray(OpenOption[]::new);
    }
}
