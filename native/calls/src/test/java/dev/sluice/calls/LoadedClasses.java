package dev.sluice.calls;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which classes a process needs for its binding. Also the program that loads one. */
public final class LoadedClasses {

    private static final String PROVIDER = "sluice.tests.provider";

    private LoadedClasses() {
    }

    public static void main(String[] none) throws ReflectiveOperationException {
        Class<?> provider = Class.forName(System.getProperty(PROVIDER));
        System.out.println(SmallJvm.MARK
                + ((BindingProvider) provider.getDeclaredConstructor().newInstance()).load());
    }

    /** {@return the names of all classes loaded by a new process that loads this binding} */
    public static Set<String> of(Class<? extends BindingProvider> provider, Path... more) throws Exception {
        List<Path> classPath = new ArrayList<>(List.of(more));
        classPath.addAll(List.of(CodeLocation.of(Binding.class), CodeLocation.of(LoadedClasses.class),
                CodeLocation.of(provider)));
        Path log = Files.createTempFile("loaded", ".txt");
        try {
            SmallJvm.run(LoadedClasses.class, classPath, "-D" + PROVIDER + "=" + provider.getName(),
                    "-Xlog:class+load:file=" + log + ":none");
            try (Stream<String> lines = Files.lines(log)) {
                return lines.map(line -> line.split(" ")[0]).collect(Collectors.toSet());
            }
        } finally {
            Files.delete(log);
        }
    }
}
