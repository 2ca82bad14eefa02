package dev.sluice.calls;

import java.net.URI;
import java.nio.file.Path;

/** Where a class was loaded from: the class path that a forked JVM needs to load it too. */
public final class CodeLocation {

    private CodeLocation() {
    }

    // By resource: for a test in a patched module, the code source names the module's place and not the test's.
    public static Path of(Class<?> type) {
        String file = "/" + type.getName().replace('.', '/') + ".class";
        String url = type.getResource(file).toString();
        String root = url.substring(0, url.length() - file.length());
        return Path.of(URI.create(root.startsWith("jar:") ? root.substring(4, root.length() - 1) : root));
    }
}
