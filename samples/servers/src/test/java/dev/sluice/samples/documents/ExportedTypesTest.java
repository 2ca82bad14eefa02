package dev.sluice.samples.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Repository;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Modifier;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How many types a program can see: public top-level ones of packages that a module of this library exports to
 * all modules. {@code .mvn/budget.properties} has the bound of each package. A new type replaces another one.
 */
@Tag(Depth.IN_QUICK)
class ExportedTypesTest {

    private static final String BOUND = "exports.";
    private static final String CLASS = ".class";
    /** The native calls are a module of their own, which a program has to ask for. */
    private static final List<String> OTHERS = List.of("dev.sluice.calls", "dev.sluice.ffm", "dev.sluice.jna");

    @Test
    void eachPackageExportsAsManyAsItMay() throws Exception {
        Map<String, Integer> exported = new TreeMap<>();
        Map<String, Integer> ofModule = new TreeMap<>();
        for (URL info : Collections.list(ExportedTypesTest.class.getClassLoader().getResources("module-info.class"))) {
            ModuleDescriptor module = read(info);
            if (module.name().startsWith("dev.sluice.") && !OTHERS.contains(module.name())) {
                List<String> classes = classes(info);
                for (ModuleDescriptor.Exports exports : module.exports()) {
                    if (!exports.isQualified()) {
                        int count = (int) classes.stream().filter(name -> isSeen(name, exports.source())).count();
                        exported.put(exports.source(), count);
                        ofModule.merge(module.name(), count, Integer::sum);
                    }
                }
            }
        }
        System.out.println("exported types: " + ofModule + " " + exported);
        assertEquals(lines(bounds()), lines(exported));
    }

    private static String lines(Map<String, Integer> counts) {
        return counts.entrySet().stream().map(each -> BOUND + each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining("\n"));
    }

    private static Map<String, Integer> bounds() throws IOException {
        Properties budget = new Properties();
        try (Reader reader = Files.newBufferedReader(Repository.root().resolve(".mvn/budget.properties"))) {
            budget.load(reader);
        }
        Map<String, Integer> bounds = new TreeMap<>();
        for (String name : budget.stringPropertyNames()) {
            if (name.startsWith(BOUND)) {
                bounds.put(name.substring(BOUND.length()), Integer.parseInt(budget.getProperty(name)));
            }
        }
        return bounds;
    }

    private static ModuleDescriptor read(URL info) throws IOException {
        try (InputStream in = info.openStream()) {
            return ModuleDescriptor.read(in);
        }
    }

    /** {@return the names of the classes beside a description of a module} */
    private static List<String> classes(URL info) throws Exception {
        URLConnection connection = info.openConnection();
        if (connection instanceof JarURLConnection inJar) {
            // Not the one that the class loader keeps open.
            try (JarFile jar = new JarFile(Path.of(inJar.getJarFileURL().toURI()).toFile())) {
                return jar.stream().map(entry -> entry.getName()).toList();
            }
        }
        Path root = Path.of(info.toURI()).getParent();
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString().replace('\\', '/')).toList();
        }
    }

    private static boolean isSeen(String file, String inPackage) {
        String prefix = inPackage.replace('.', '/') + "/";
        if (!file.startsWith(prefix) || !file.endsWith(CLASS) || file.indexOf('/', prefix.length()) >= 0
                || file.contains("$") || file.endsWith("package-info.class")) {
            return false;
        }
        String name = file.substring(0, file.length() - CLASS.length()).replace('/', '.');
        try {
            return Modifier.isPublic(Class.forName(name, false, ExportedTypesTest.class.getClassLoader())
                    .getModifiers());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
