package dev.sluice.calls.layout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The prototypes that a compiler has seen.
 *
 * @param byName the functions
 */
record Prototypes(Map<String, Prototype> byName) {

    /** Ends the parameters of a function that takes more. */
    private static final String MORE = "...";

    private static final Pattern LINE = Pattern.compile("/\\*.*\\*/ extern (.*?)(\\w+) \\((.*)\\);.*");

    /**
     * One function.
     *
     * @param result     its type
     * @param parameters their types, without a trailing {@code ...}
     * @param variadic   whether it has that
     */
    record Prototype(String result, List<String> parameters, boolean variadic) {
    }

    /** Reads the listing that gcc writes with {@code -aux-info}: a line per declaration, with types but no names. */
    static Prototypes of(List<String> listing) {
        Map<String, Prototype> byName = new HashMap<>();
        for (String line : listing) {
            Matcher declaration = LINE.matcher(line);
            if (declaration.matches()) {
                byName.putIfAbsent(declaration.group(2), prototype(declaration.group(1), declaration.group(3)));
            }
        }
        return new Prototypes(byName);
    }

    Prototype get(String function) {
        Prototype prototype = byName.get(function);
        if (prototype == null) {
            throw new AssertionError("no header declares " + function);
        }
        return prototype;
    }

    private static Prototype prototype(String result, String list) {
        List<String> parameters = new ArrayList<>();
        int start = 0;
        int depth = 0;
        for (int i = 0; i < list.length(); i++) {
            char c = list.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == ',' && depth == 0) {
                parameters.add(list.substring(start, i).strip());
                start = i + 1;
            }
        }
        parameters.add(list.substring(start).strip());
        parameters.remove("void");
        return new Prototype(result.strip(), parameters, parameters.remove(MORE));
    }
}
