package dev.sluice.samples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The modules of the source tree, of which {@code .mvn/modules.txt} is the only list. */
public final class ModuleList {

    /** The module of the samples. */
    public static final String SAMPLES = "samples/servers";

    /** The module of the benchmarks. */
    public static final String BENCHMARKS = "samples/benchmarks";

    static final String FILE = ".mvn/modules.txt";

    private ModuleList() {
    }

    /**
     * Lists a module and all modules that it depends on.
     *
     * @param root   the root of the source tree
     * @param module the module, as the list names it
     * @return the modules' folders, from the root, each after those that it needs
     */
    public static List<String> upTo(String module, Path root) throws IOException {
        List<String> modules = all(root);
        return modules.subList(0, modules.indexOf(module) + 1);
    }

    /** {@return the folders of all modules, from the root, each after those that it needs} */
    public static List<String> all(Path root) throws IOException {
        return Files.readAllLines(root.resolve(FILE)).stream()
                .filter(line -> !line.isEmpty() && !line.startsWith("#")).toList();
    }

    /** {@return the inputs of a build of this module: descriptors, and folders of sources} */
    static List<Path> sources(String module, Path root) throws IOException {
        List<Path> sources = new ArrayList<>(List.of(root.resolve("pom.xml")));
        for (String each : upTo(module, root)) {
            Path folder = root.resolve(each);
            sources.add(folder.resolveSibling("pom.xml"));
            sources.add(folder.resolve("pom.xml"));
            sources.add(folder.resolve("src/main"));
        }
        return sources.stream().distinct().filter(Files::exists).toList();
    }
}
