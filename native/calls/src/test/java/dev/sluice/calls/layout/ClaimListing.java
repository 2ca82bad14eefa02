package dev.sluice.calls.layout;

import dev.sluice.calls.CodeLocation;
import dev.sluice.calls.SmallJvm;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A program that lists every claim's value as the classes have it that believe to be on another system or CPU: loaded
 * again for each platform, in a JVM in which nothing else depends on that.
 */
final class ClaimListing {

    private static final List<String> PLATFORMS = List.of("Linux/x86_64", "Linux/aarch64", "Linux/riscv64",
            "Linux/ppc64le", "Linux/s390x", "Linux/loongarch64", "Mac OS X/aarch64", "Mac OS X/x86_64",
            "FreeBSD/amd64", "FreeBSD/aarch64", "OpenBSD/amd64", "OpenBSD/aarch64");

    private static Map<String, Map<String, Long>> listed;

    private ClaimListing() {
    }

    /** {@return each claim's value on another platform, by {@link Claims#key}} */
    static synchronized Map<String, Long> on(String osName, String osArch) throws Exception {
        if (listed == null) {
            Map<String, Map<String, Long>> all = new HashMap<>();
            for (String line : SmallJvm.run(ClaimListing.class, classPath())) {
                String[] column = line.split("\t");
                all.computeIfAbsent(column[0], name -> new HashMap<>()).put(column[1], Long.valueOf(column[2]));
            }
            listed = all;
        }
        return Map.copyOf(listed.get(name(osName, osArch)));
    }

    private static String name(String osName, String osArch) {
        return osName + "/" + osArch;
    }

    private static List<Path> classPath() {
        return List.of(CodeLocation.of(On.class), CodeLocation.of(ClaimListing.class));
    }

    public static void main(String[] none) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (Path path : classPath()) {
            urls.add(path.toUri().toURL());
        }
        for (String platform : PLATFORMS) {
            String[] nameAndArch = platform.split("/");
            System.setProperty("os.name", nameAndArch[0]);
            System.setProperty("os.arch", nameAndArch[1]);
            try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new),
                    ClassLoader.getPlatformClassLoader())) {
                Method list = loader.loadClass(ClaimListing.class.getName()).getDeclaredMethod("list", String.class);
                list.setAccessible(true);
                list.invoke(null, platform);
            }
        }
    }

    private static void list(String platform) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (Claims claims : LayoutPackage.claims()) {
            claims.list().forEach(claim -> lines.append(SmallJvm.MARK).append(platform).append('\t')
                    .append(claims.key(claim)).append('\t').append(claim.value()).append('\n'));
        }
        System.out.print(lines);
    }
}
