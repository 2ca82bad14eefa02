package dev.sluice.campaign.power;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What a disk has after its power has failed: a tree of directories and files. */
public final class FailedDisk {

    private final Inode root;
    private final Map<Inode, Map<String, Inode>> names = new HashMap<>();
    private final Map<Inode, byte[]> contents = new HashMap<>();

    /**
     * Creates a disk as it was when the recording began.
     *
     * @param root     the recorded directory
     * @param original the names in each directory
     */
    FailedDisk(Inode root, Map<Inode, Map<String, Inode>> original) {
        this.root = root;
        original.forEach((directory, entries) -> names.put(directory, new TreeMap<>(entries)));
    }

    private byte[] content(Inode file) {
        return contents.getOrDefault(file, file.content());
    }

    void write(Inode file, int position, byte[] bytes, int offset, int length) {
        byte[] content = content(file);
        boolean isOriginal = content == file.content();
        if (isOriginal || position + length > content.length) {
            content = Arrays.copyOf(content, Math.max(content.length, position + length));
            contents.put(file, content);
        }
        System.arraycopy(bytes, offset, content, position, length);
    }

    void resize(Inode file, int size, boolean extendsOnly) {
        byte[] content = content(file);
        if (!extendsOnly || size > content.length) {
            contents.put(file, Arrays.copyOf(content, size));
        }
    }

    void name(Inode directory, String removed, String name, Inode named) {
        Map<String, Inode> entries = names.computeIfAbsent(directory, each -> new TreeMap<>());
        if (removed != null) {
            entries.remove(removed);
        }
        if (name != null) {
            entries.put(name, named);
        }
    }

    /** {@return what is in the files, by their paths below the recorded directory; directories are missing} */
    public Map<String, byte[]> files() {
        Map<String, byte[]> files = new TreeMap<>();
        collect(root, "", files);
        return files;
    }

    private void collect(Inode directory, String path, Map<String, byte[]> files) {
        names.getOrDefault(directory, Map.of()).forEach((name, inode) -> {
            if (inode.content() == null) {
                collect(inode, path + name + "/", files);
            } else {
                files.put(path + name, content(inode));
            }
        });
    }

    /**
     * Makes a directory contain these files, and nothing else.
     *
     * @param directory the directory, which is created if there is none
     */
    public void writeTo(Path directory) throws IOException {
        Files.createDirectories(directory);
        List<Path> previous;
        try (Stream<Path> all = Files.walk(directory)) {
            previous = all.skip(1).sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : previous) {
            Files.delete(each);
        }
        for (Map.Entry<String, byte[]> each : files().entrySet()) {
            Path file = directory.resolve(each.getKey());
            Files.createDirectories(file.getParent());
            Files.write(file, each.getValue());
        }
    }
}
