package dev.sluice.demultiplexer;

import dev.sluice.demultiplexer.spi.Operation;
import dev.sluice.handle.DirectoryHandle;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.condition.OS;

/**
 * An operation that changes names in a directory. No other one has the same names, so its effect shows whatever the
 * order.
 *
 * @param type    the type
 * @param name    the first name
 * @param newName the second name, if the type has two
 */
record NameChange(OperationType type, String name, String newName) {

    /** What stands for the content of a directory. */
    private static final String DIRECTORY = "a directory";

    private static final List<OperationType> TYPES = List.of(OperationType.CREATE_DIRECTORY, OperationType.RENAME,
            OperationType.RENAME_UNLESS_EXISTS, OperationType.EXCHANGE, OperationType.LINK, OperationType.DELETE,
            OperationType.DELETE_DIRECTORY);
    private static final Set<OperationType> OF_LINUX =
            EnumSet.of(OperationType.RENAME_UNLESS_EXISTS, OperationType.EXCHANGE);

    /**
     * {@return a change of each type that the system has}
     *
     * @param number distinguishes their names from those of others
     */
    static List<NameChange> each(int number) {
        return TYPES.stream().filter(type -> OS.LINUX.isCurrentOs() || !OF_LINUX.contains(type))
                .map(type -> new NameChange(type, type + "-" + number, type + "-new-" + number)).toList();
    }

    /** {@return the contents of the files in a directory, by name} */
    static Map<String, String> contents(Path directory) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (DirectoryStream<Path> names = Files.newDirectoryStream(directory)) {
            for (Path each : names) {
                contents.put(each.getFileName().toString(),
                        Files.isDirectory(each) ? DIRECTORY : Files.readString(each));
            }
        }
        return contents;
    }

    /**
     * Creates what the change needs.
     *
     * @param contents gets the names and contents as well
     */
    void prepare(Path directory, Map<String, String> contents) throws IOException {
        List<String> files = switch (type) {
            case CREATE_DIRECTORY, DELETE_DIRECTORY -> List.of();
            case EXCHANGE -> List.of(name, newName);
            default -> List.of(name);
        };
        for (String each : files) {
            // Each content is another one.
            Files.writeString(directory.resolve(each), each);
            contents.put(each, each);
        }
        if (type == OperationType.DELETE_DIRECTORY) {
            Files.createDirectory(directory.resolve(name));
            contents.put(name, DIRECTORY);
        }
    }

    /** Starts the operation. */
    void start(Operation operation, DirectoryHandle directory) {
        switch (type) {
            case CREATE_DIRECTORY, DELETE, DELETE_DIRECTORY -> operation.name(type, directory, Path.of(name));
            default -> operation.names(type, directory, Path.of(name), Path.of(newName));
        }
    }

    /** Changes the names and contents as the operation does. */
    void apply(Map<String, String> contents) {
        switch (type) {
            case CREATE_DIRECTORY -> contents.put(name, DIRECTORY);
            case LINK -> contents.put(newName, contents.get(name));
            case EXCHANGE -> contents.put(newName, contents.put(name, contents.get(newName)));
            case RENAME, RENAME_UNLESS_EXISTS -> contents.put(newName, contents.remove(name));
            default -> contents.remove(name);
        }
    }
}
