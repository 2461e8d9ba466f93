from zermelo.solvers.positions.graph import PositionGraph
def strong_components(graph):
    n=len(graph); number={}; low={}; open_=[]; isopen=set(); found=[]
    for s in range(n):
        if s in number: continue
        path=[(s,iter(graph.edges(s)))]; number[s]=low[s]=len(number); open_.append(s); isopen.add(s)
        while path:
            p,it=path[-1]
            for e in it:
                t=graph.targets[e]
                if t not in number:
                    number[t]=low[t]=len(number); open_.append(t); isopen.add(t); path.append((t,iter(graph.edges(t)))); break
                if t in isopen: low[p]=min(low[p],number[t])
            else:
                path.pop()
                if path: low[path[-1][0]]=min(low[path[-1][0]],low[p])
                if low[p]==number[p]:
                    part=[]
                    while not part or part[-1]!=p:
                        part.append(open_.pop()); isopen.discard(part[-1])
                    found.append(part)
    return found
