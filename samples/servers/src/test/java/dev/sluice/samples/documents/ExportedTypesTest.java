package dev.sluice.samples.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.samples.Repository;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
    /** The native calls are modules of their own, which a program has to ask for; the samples are no library. */
    private static final List<String> OTHERS = List.of("dev.sluice.calls", "dev.sluice.ffm", "dev.sluice.jna",
            "dev.sluice.samples");
    /** Types some of whose constructors and overridable methods are for the library alone, as they say. */
    private static final Set<String> PARTLY_FOR_THE_LIBRARY = Set.of("dev.sluice.connection.Connections",
            "dev.sluice.eventloop.EventLoop", "dev.sluice.eventloop.EventLoopGroup", "dev.sluice.eventloop.LoopBuilder",
            "dev.sluice.leaderfollowers.HandleSetSource", "dev.sluice.leaderfollowers.LeaderFollowersPool",
            "dev.sluice.proactor.Proactor", "dev.sluice.reactor.Dispatcher", "dev.sluice.reactor.Reactor");

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

    /** The compiler's own check of that is off, since it would require the annotations' modules of programs. */
    @Test
    void nothingInThemIsOfATypeThatProgramsCannotName() throws Exception {
        Set<String> packages = new TreeSet<>();
        List<String> names = new ArrayList<>();
        for (URL info : Collections.list(ExportedTypesTest.class.getClassLoader().getResources("module-info.class"))) {
            ModuleDescriptor module = read(info);
            List<String> exported = module.exports().stream().filter(exports -> !exports.isQualified())
                    .map(ModuleDescriptor.Exports::source).filter(source -> source.startsWith("dev.sluice.")).toList();
            packages.addAll(exported);
            if (!OTHERS.contains(module.name())) {
                List<String> classes = classes(info);
                exported.forEach(source -> classes.stream().filter(file -> isSeen(file, source))
                        .forEach(file -> names.add(nameOf(file))));
            }
        }
        Set<String> unnamed = new TreeSet<>();
        for (String name : names) {
            if (!PARTLY_FOR_THE_LIBRARY.contains(name)) {
                typesIn(load(name)).filter(type -> type.getName().startsWith("dev.sluice.")
                        && !packages.contains(type.getPackageName()))
                        .forEach(type -> unnamed.add(name + ": " + type.getName()));
            }
        }
        assertEquals(Set.of(), unnamed);
    }

    /** {@return what the members of a type that programs can use name, without what generic types are made of} */
    private static Stream<Class<?>> typesIn(Class<?> type) {
        Stream<Executable> executables = Stream.concat(Stream.of(type.getDeclaredConstructors()),
                Stream.of(type.getDeclaredMethods()).filter(method -> !method.isSynthetic()));
        Stream<Class<?>> ofExecutables = executables.filter(ExportedTypesTest::isSeen).flatMap(each -> Stream.concat(
                Stream.of(each.getParameterTypes()), each instanceof Method method
                        ? Stream.of(method.getReturnType()) : Stream.of()));
        Stream<Class<?>> ofFields = Stream.of(type.getDeclaredFields()).filter(ExportedTypesTest::isSeen)
                .map(Field::getType);
        return Stream.of(ofExecutables, ofFields, Stream.of(type.getInterfaces())).flatMap(each -> each)
                .map(each -> each.isArray() ? each.getComponentType() : each);
    }

    private static boolean isSeen(Member member) {
        return (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
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
        return Modifier.isPublic(load(nameOf(file)).getModifiers());
    }

    private static String nameOf(String file) {
        return file.substring(0, file.length() - CLASS.length()).replace('/', '.');
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, ExportedTypesTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
