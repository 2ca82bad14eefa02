package dev.sluice.campaign.power;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Finds the names in a directory, and below it, that have changed since the last scan. Not only calls that pass through
 * a binding change names.
 */
final class NameScan {

    /** A file or directory as a scan has found it. */
    private record Found(Object key, boolean isDirectory) {
    }

    private final Path path;
    private final Inode root = new Inode(null);
    /** By the keys of their file system. Files that have lost their names are among them. */
    private final Map<Object, Inode> inodes = new HashMap<>();
    private Map<Inode, Map<String, Inode>> names = new HashMap<>();

    /** Finds what there is. */
    NameScan(Path path) throws IOException {
        this.path = path;
        inodes.put(key(path), root);
        this.names = names(find(), true);
    }

    Inode root() {
        return root;
    }

    /** {@return the names of the last scan in each directory} */
    Map<Inode, Map<String, Inode>> names() {
        return names;
    }

    private static Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /** {@return the file or directory of a descriptor; null if it is not below the directory} */
    Inode inode(int descriptor) {
        try {
            return inodes.get(key(Path.of("/proc/self/fd/" + descriptor)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Forgets a file before the first name of a new one is found, which may have got its number. */
    void forget(int descriptor) throws IOException {
        inodes.remove(key(Path.of("/proc/self/fd/" + descriptor)));
    }

    /** Notes what has changed. The change of a name has completed when it is found. */
    void scan(History history) throws IOException {
        Map<Inode, Map<String, Inode>> before = names;
        names = names(find(), false);
        for (Map.Entry<Inode, Map<String, Inode>> each : names.entrySet()) {
            note(each.getKey(), before.getOrDefault(each.getKey(), Map.of()), each.getValue(), history);
        }
    }

    private static void note(Inode directory, Map<String, Inode> before, Map<String, Inode> now, History history) {
        Map<Inode, String> removed = new LinkedHashMap<>();
        before.forEach((name, inode) -> {
            if (!now.containsKey(name)) {
                removed.put(inode, name);
            }
        });
        now.forEach((name, inode) -> {
            if (before.get(name) != inode) {
                history.completed(history.begin(new Naming(directory, removed.remove(inode), name, inode)), 0);
            }
        });
        removed.values().forEach(name ->
                history.completed(history.begin(new Naming(directory, name, null, null)), 0));
    }

    /** {@return what has which path; the same in two scans, as a file that is renamed may be missed in one} */
    private Map<Path, Found> find() throws IOException {
        Map<Path, Found> found = new LinkedHashMap<>();
        Map<Path, Found> previous;
        do {
            previous = found;
            found = new LinkedHashMap<>();
            find(path, found);
        } while (!found.equals(previous));
        return found;
    }

    private static void find(Path directory, Map<Path, Found> found) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path each : entries) {
                BasicFileAttributes attributes = Files.readAttributes(each, BasicFileAttributes.class,
                        LinkOption.NOFOLLOW_LINKS);
                found.put(each, new Found(Objects.requireNonNull(attributes.fileKey()), attributes.isDirectory()));
                if (attributes.isDirectory()) {
                    find(each, found);
                }
            }
        } catch (NoSuchFileException e) {
            // It has lost its name meanwhile, and the next look finds no other one.
            found.put(directory.resolve(e.getFile()), new Found(new Object(), false));
        }
    }

    private Map<Inode, Map<String, Inode>> names(Map<Path, Found> found, boolean withContent) throws IOException {
        Map<Object, Inode> named = new HashMap<>();
        names.values().forEach(entries -> entries.values().forEach(inode -> named.put(inode, inode)));
        Map<Inode, Map<String, Inode>> result = new HashMap<>();
        result.put(root, new LinkedHashMap<>());
        for (Map.Entry<Path, Found> each : found.entrySet()) {
            Object key = each.getValue().key();
            Inode inode = inodes.get(key);
            if (inode == null || !named.containsKey(inode)) {
                inode = new Inode(each.getValue().isDirectory() ? null
                        : withContent ? Files.readAllBytes(each.getKey()) : new byte[0]);
                inodes.put(key, inode);
                named.put(inode, inode);
            }
            Inode parent = each.getKey().getParent().equals(path) ? root
                    : inodes.get(found.get(each.getKey().getParent()).key());
            result.computeIfAbsent(parent, any -> new LinkedHashMap<>())
                    .put(each.getKey().getFileName().toString(), inode);
            if (each.getValue().isDirectory()) {
                result.computeIfAbsent(inode, any -> new LinkedHashMap<>());
            }
        }
        return result;
    }
}
